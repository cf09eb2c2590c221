// Made by scripts/make_abi.py from the compiled contracts.
import { tableAbi } from './table';

const own = [
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "lane", "type": "uint8"}, {"name": "depth", "type": "uint8"}], "name": "BunkerWar_CellOccupied", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "lane", "type": "uint8"}, {"name": "depth", "type": "uint8"}], "name": "BunkerWar_CellUnsupported", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "depth", "type": "uint8"}, {"name": "limit", "type": "uint8"}], "name": "BunkerWar_DepthOutOfRange", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "BunkerWar_EmptyInputProof", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "input", "type": "bytes32"}], "name": "BunkerWar_InputUsed", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "lane", "type": "uint8"}, {"name": "lanes", "type": "uint8"}], "name": "BunkerWar_LaneOutOfRange", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "seat", "type": "uint8"}], "name": "BunkerWar_MissileNotArmed", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "BunkerWar_NoMissileInFlight", "type": "error"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "BunkerWar_NotCounting", "type": "error"},
  {"inputs": [{"name": "seat", "type": "uint8"}], "name": "BunkerWar_SeatOutOfRange", "type": "error"},
  {"inputs": [{"name": "lanes", "type": "uint8"}, {"name": "depth", "type": "uint8"}], "name": "BunkerWar_SizeOutOfRange", "type": "error"},
  {"inputs": [], "name": "InvalidKMSSignatures", "type": "error"},
  {"inputs": [], "name": "ZamaProtocolUnsupported", "type": "error"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "seat", "type": "uint8"}, {"indexed": false, "name": "lane", "type": "uint8"}, {"indexed": false, "name": "depth", "type": "uint8"}], "name": "BuildingPlaced", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "result", "type": "bytes32"}], "name": "CountingStarted", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "seat", "type": "uint8"}, {"indexed": false, "name": "lane", "type": "uint8"}, {"indexed": false, "name": "stop", "type": "uint8"}], "name": "MissileResolved", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "seat", "type": "uint8"}, {"indexed": false, "name": "lane", "type": "uint8"}, {"indexed": false, "name": "stop", "type": "bytes32"}], "name": "MissileSent", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": false, "name": "handlesList", "type": "bytes32[]"}, {"indexed": false, "name": "abiEncodedCleartexts", "type": "bytes"}], "name": "PublicDecryptionVerified", "type": "event"},
  {"anonymous": false, "inputs": [{"indexed": true, "name": "id", "type": "uint256"}, {"indexed": false, "name": "result", "type": "uint8"}], "name": "ResultSettled", "type": "event"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "awaitedOf", "outputs": [{"name": "handle", "type": "bytes32"}], "stateMutability": "view", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "seat", "type": "uint8"}], "name": "boardOf", "outputs": [{"name": "cells", "type": "bytes32[][]"}], "stateMutability": "view", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "lane", "type": "uint8"}, {"name": "depth", "type": "uint8"}, {"name": "isBunker", "type": "bytes32"}, {"name": "proof", "type": "bytes"}], "name": "build", "outputs": [], "stateMutability": "nonpayable", "type": "function"},
  {"inputs": [], "name": "confidentialProtocolId", "outputs": [{"name": "", "type": "uint256"}], "stateMutability": "view", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "join", "outputs": [], "stateMutability": "payable", "type": "function"},
  {"inputs": [{"name": "lanes", "type": "uint8"}, {"name": "depth", "type": "uint8"}, {"name": "stacked", "type": "bool"}, {"name": "control", "type": "uint8"}, {"name": "opponent", "type": "address"}], "name": "open", "outputs": [{"name": "id", "type": "uint256"}], "stateMutability": "payable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}], "name": "positionOf", "outputs": [{"components": [{"name": "built", "type": "uint64[2]"}, {"name": "lanes", "type": "uint8"}, {"name": "depth", "type": "uint8"}, {"name": "stacked", "type": "bool"}, {"name": "left", "type": "uint8"}, {"name": "spent", "type": "uint8"}, {"name": "target", "type": "uint8"}], "name": "", "type": "tuple"}], "stateMutability": "view", "type": "function"},
  {"inputs": [{"name": "lanes", "type": "uint8"}, {"name": "depth", "type": "uint8"}, {"name": "stacked", "type": "bool"}, {"name": "control", "type": "uint8"}], "name": "quickMatch", "outputs": [{"name": "id", "type": "uint256"}, {"name": "seat", "type": "uint8"}], "stateMutability": "payable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "stop", "type": "uint8"}, {"name": "proof", "type": "bytes"}], "name": "resolveMissile", "outputs": [], "stateMutability": "nonpayable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "lane", "type": "uint8"}], "name": "sendMissile", "outputs": [], "stateMutability": "nonpayable", "type": "function"},
  {"inputs": [{"name": "id", "type": "uint256"}, {"name": "result", "type": "uint8"}, {"name": "proof", "type": "bytes"}], "name": "settle", "outputs": [], "stateMutability": "nonpayable", "type": "function"},
] as const;

export const bunkerWarAbi = [...tableAbi, ...own] as const;
