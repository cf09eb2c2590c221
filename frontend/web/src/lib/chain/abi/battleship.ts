// Made by scripts/make_abi.py from the compiled contracts.
import { tableAbi } from './table';

const own = [
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "cell", "type": "uint256"}], "name": "Battleship_AlreadyFired", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "seat", "type": "uint8"}], "name": "Battleship_AlreadyRevealed", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "cell", "type": "uint256"}], "name": "Battleship_AnswerDue", "type": "error"},
  {"inputs": [{"name": "cell", "type": "uint256"}, {"name": "cells", "type": "uint256"}], "name": "Battleship_CellOutOfRange", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "Battleship_NoAnswerDue", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "seat", "type": "uint8"}], "name": "Battleship_RevealClosed", "type": "error"},
  {"inputs": [{"name": "size", "type": "uint256"}], "name": "Battleship_SizeUnknown", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "sunk", "type": "uint8"}], "name": "Battleship_SunkWithoutHit", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "given", "type": "uint256"}, {"name": "target", "type": "uint256"}], "name": "Battleship_WrongCell", "type": "error"},
  {"inputs": [{"name": "player", "type": "address"}, {"name": "given", "type": "uint256"}, {"name": "expected", "type": "uint256"}], "name": "Battleship_WrongNonce", "type": "error"},
  {"inputs": [{"name": "given", "type": "uint256"}, {"name": "expected", "type": "uint256"}], "name": "Battleship_WrongProofLength", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "seat", "type": "uint8"}], "name": "Battleship_WrongRoot", "type": "error"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "seat", "type": "uint8"}, {"indexed": false, "name": "nonce", "type": "uint256"}, {"indexed": false, "name": "root", "type": "bytes32"}, {"indexed": false, "name": "sealedPlacement", "type": "bytes32"}], "name": "BoardCommitted", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "seat", "type": "uint8"}, {"indexed": false, "name": "placement", "type": "bytes16"}, {"indexed": false, "name": "seed", "type": "bytes32"}, {"indexed": false, "name": "honest", "type": "bool"}], "name": "BoardRevealed", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "seat", "type": "uint8"}, {"indexed": false, "name": "cell", "type": "uint256"}], "name": "OpeningFalse", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "seat", "type": "uint8"}, {"indexed": false, "name": "cell", "type": "uint256"}, {"indexed": false, "name": "hit", "type": "bool"}, {"indexed": false, "name": "sunk", "type": "uint8"}], "name": "ShotAnswered", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "seat", "type": "uint8"}, {"indexed": false, "name": "cell", "type": "uint256"}], "name": "ShotFired", "type": "event"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "cell", "type": "uint256"}, {"name": "isShip", "type": "bool"}, {"name": "salt", "type": "bytes32"}, {"name": "proof", "type": "bytes32[]"}, {"name": "sunk", "type": "uint8"}], "name": "answer", "outputs": [], "stateMutability": "nonpayable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "cell", "type": "uint256"}, {"name": "isShip", "type": "bool"}, {"name": "salt", "type": "bytes32"}, {"name": "proof", "type": "bytes32[]"}, {"name": "sunk", "type": "uint8"}, {"name": "next", "type": "uint256"}], "name": "answerAndFire", "outputs": [], "stateMutability": "nonpayable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "seat", "type": "uint8"}], "name": "boardOf", "outputs": [{"name": "root", "type": "bytes32"}, {"name": "nonce", "type": "uint256"}, {"name": "honesty", "type": "uint8"}], "stateMutability": "view", "type": "function"},
  {"inputs": [], "name": "deploymentId", "outputs": [{"name": "", "type": "bytes32"}], "stateMutability": "view", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "cell", "type": "uint256"}], "name": "fire", "outputs": [], "stateMutability": "nonpayable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "seat", "type": "uint8"}], "name": "firedAt", "outputs": [{"name": "", "type": "uint256[2]"}], "stateMutability": "view", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"components": [{"name": "nonce", "type": "uint256"}, {"name": "root", "type": "bytes32"}, {"name": "sealedPlacement", "type": "bytes32"}], "name": "commitment", "type": "tuple"}], "name": "join", "outputs": [], "stateMutability": "payable", "type": "function"},
  {"inputs": [{"name": "player", "type": "address"}], "name": "nextNonce", "outputs": [{"name": "", "type": "uint256"}], "stateMutability": "view", "type": "function"},
  {"inputs": [{"name": "size", "type": "uint256"}, {"components": [{"name": "nonce", "type": "uint256"}, {"name": "root", "type": "bytes32"}, {"name": "sealedPlacement", "type": "bytes32"}], "name": "commitment", "type": "tuple"}, {"name": "control", "type": "uint8"}, {"name": "opponent", "type": "address"}], "name": "open", "outputs": [], "stateMutability": "payable", "type": "function"},
  {"inputs": [{"name": "size", "type": "uint256"}, {"components": [{"name": "nonce", "type": "uint256"}, {"name": "root", "type": "bytes32"}, {"name": "sealedPlacement", "type": "bytes32"}], "name": "commitment", "type": "tuple"}, {"name": "control", "type": "uint8"}], "name": "quickMatch", "outputs": [], "stateMutability": "payable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "placement", "type": "bytes16"}, {"name": "seed", "type": "bytes32"}], "name": "reveal", "outputs": [], "stateMutability": "nonpayable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "shootingOf", "outputs": [{"components": [{"name": "size", "type": "uint256"}, {"name": "shots", "type": "uint256"}, {"name": "hits", "type": "uint256[2]"}, {"name": "answerDue", "type": "bool"}, {"name": "target", "type": "uint256"}], "name": "", "type": "tuple"}], "stateMutability": "view", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "verdictOf", "outputs": [{"name": "", "type": "uint8"}], "stateMutability": "view", "type": "function"},
] as const;

export const battleshipAbi = [...tableAbi, ...own] as const;
