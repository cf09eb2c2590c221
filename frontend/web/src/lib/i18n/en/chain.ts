/** The client's texts: errors and what to do about them, names of transactions. */
export const chain = {
  'error.unknown': 'Something went wrong. Reload the page and try again.',

  'error.serverForeign':
    'The server is of another version than this page. Reload the page; if that does not help, whoever runs the server has to bring it up to date.',
  'error.unreachable': 'The server does not answer. Check your connection and try again.',
  'error.serverRefused': 'The server did not do this. Wait a moment and try again.',
  'error.refused': 'The chain did not take this. Try again in a moment.',
  'error.tooManyRequests': 'Too many requests at once. Wait a few seconds and try again.',
  'error.insufficientFunds':
    'Not enough ether for this. Add some to your account, or lower the stake.',
  'error.sessionSpent': 'Your session key has run out of gas money. Renew it in the settings.',
  'error.wrongChain': 'The server speaks for another chain than before. Reload the page.',

  'error.transactionFailed': 'The transaction failed and gave no reason. Try again.',
  'error.transactionLost':
    'The transaction is still on its way. Leave the page open, or come back later: it is found again.',
  'error.transactionReplaced':
    'Another transaction of your account took the place of this one. Look at the game and try again.',

  'error.walletRefused': 'The wallet did not do this. Open it to see why.',
  'error.rejected': 'You declined this in your wallet. Nothing was sent.',
  'error.walletLocked': 'Unlock your wallet and connect it to this page.',
  'error.walletBusy': 'Your wallet already waits for an answer. Open it and confirm or decline.',
  'error.walletDisconnected': 'Your wallet has no connection to the chain. Check it and try again.',
  'error.wrongNetwork': 'Your wallet is on another network. Switch it to the one of this page.',
  'error.accountChanged':
    'Your wallet shows another account now. Go back to {account}, or connect anew.',

  'error.storageRefused':
    'Your browser keeps nothing for this page, so a key would be lost. Allow storage, or leave private browsing.',
  'error.backupInvalid': 'This is not a backup of this page. Choose the file that you saved here.',
  'error.faucetRefused': 'The faucet gives nothing more for now. Wait a while and try again.',
  'error.noSession': 'There is no session key for this game. Authorize one in the settings.',

  'error.contract':
    'The contract refused this ({error}). Reload the page and look at the game again.',
  'error.unknownGame': 'There is no such game.',
  'error.wrongPhase': 'The game has moved on: this is no longer possible.',
  'error.stakeTooLarge': 'This stake is larger than the contract can hold. Choose a smaller one.',
  'error.wrongStake': 'The stake of this game is another one. Reload the page and join again.',
  'error.opponentIsSelf':
    'You cannot challenge yourself. Name another player, or leave the game open.',
  'error.notInvited': 'This seat is kept for another player. Choose another game.',
  'error.alreadySeated': 'You already sit in this game.',
  'error.notSeated': 'Only the players of this game can do this.',
  'error.notCreator': 'Only who opened this game can cancel it.',
  'error.deploymentOutdated':
    'The contracts of this server are of an earlier version, which counted blocks. Whoever runs it has to deploy them anew.',
  'error.drawNotYet': 'Who begins is not drawn yet. Wait for the next block.',
  'error.drawMissed': 'The draw of the first seat came too late and is made anew. Wait a moment.',
  'error.notOnTurn': 'It is not your turn.',
  'error.noKeepAliveLeft': 'You have extended your clock as often as the rules allow.',
  'error.deadlineNotPassed': 'The clock still runs.',
  'error.ownTimeout':
    'It is your own clock that ran out. Move, if the other has not claimed it yet.',
  'error.staleOffer': 'The position has changed since. Offer the draw again if you still want it.',
  'error.alreadyOffered': 'You have offered a draw in this position. Wait for the answer.',
  'error.proofNotAsked': 'No proof is asked for here.',
  'error.voidTooEarly': 'It is too early for that.',
  'error.voidAlreadyAnnounced': 'The void is announced already. Wait until it is due.',
  'error.voidNotAnnounced': 'The void must be announced first.',
  'error.sessionOutOfRange': 'The session would end before it begins. Choose a longer one.',
  'error.sessionEnded': 'Your session key has ended. Renew it in the settings.',
  'error.sessionKeyUsed': 'This session key is in use otherwise. Authorize a new one.',
  'error.senderIsKey':
    'This account is a session key, which cannot play for itself. Use another account.',
  'error.nothingToWithdraw': 'There is nothing to withdraw.',
  'error.paymentRefused': 'The receiver refuses the money. Name another address.',

  'error.sizeUnknown': 'There is no board of this size. Choose one of the list.',
  'error.wrongNonce': 'Another tab has taken a seat meanwhile. Try again.',
  'error.illegalMove': 'This move is not on the board.',
  'error.alreadyFired': 'You have fired there before. Choose another cell.',
  'error.answerDue':
    'Your opponent’s shot must be answered first. Leave the page open for a moment.',
  'error.nothingToAnswer': 'No shot waits for your answer.',
  'error.illegalFleet':
    'This fleet cannot stand so. Place every ship inside the board, without overlap.',
  'error.placementLost':
    'This browser cannot open your board. Use the wallet you sat down with, or restore your backup.',
  'error.alreadyRevealed': 'You have shown your board already.',
  'error.revealClosed': 'The time for showing your board is over.',
  'error.cellOccupied': 'A building stands there. Choose an empty cell.',
  'error.cellUnsupported': 'Nothing stands below. Build on the base or on a building.',
  'error.missileNotArmed': 'Build once before you send the next missile.',
  'error.proofRefused': 'The contract did not accept the proof. Try again.',
  'error.recordInvalid': 'The events of this game contradict its rules. Reload the page.',

  'error.insecurePage': 'Encryption needs a secure page. Open this one by https or on localhost.',
  'error.browserTooOld': 'Your browser is too old to encrypt. Update it, or use another one.',
  'error.gatewayKeyChanged':
    'The gateway shows other keys than before. Do not play on until whoever runs this page explains it.',
  'error.gatewayUnavailable': 'The gateway does not answer. Try again in a moment.',
  'error.inputRefused': 'The encrypted building was refused. Build again.',
  'error.notAllowed': 'This account may not read these buildings. Use the one that built them.',
  'error.signatureRefused': 'Your wallet signed as another account. Switch back and try again.',
  'error.requestExpired': 'Your permission to read has expired. Sign a new one.',
  'error.notComputedYet': 'The computation takes longer than usual. Wait a little and try again.',
  'error.computationFailed': 'The encrypted computation failed. Reload the page and try again.',

  'transaction.open': 'Open a game',
  'transaction.quickMatch': 'Quick match',
  'transaction.join': 'Join',
  'transaction.leaveSeat': 'Leave the seat',
  'transaction.cancel': 'Cancel the game',
  'transaction.settleDraw': 'Draw who begins',
  'transaction.rescheduleDraw': 'Draw anew who begins',
  'transaction.keepAlive': 'Extend the clock',
  'transaction.offerDraw': 'Offer a draw',
  'transaction.resign': 'Resign',
  'transaction.claimTimeout': 'Claim the timeout',
  'transaction.closeProof': 'Close the proof clock',
  'transaction.announceVoid': 'Announce the void',
  'transaction.voidGame': 'Void the game',
  'transaction.authorize': 'Authorize the session key',
  'transaction.revoke': 'Revoke the session key',
  'transaction.sendBack': 'Send gas money back',
  'transaction.withdraw': 'Withdraw',
  'transaction.build': 'Build',
  'transaction.sendMissile': 'Send a missile',
  'transaction.resolveMissile': 'Resolve the missile',
  'transaction.settle': 'Settle the result',
  'transaction.fire': 'Fire',
  'transaction.answer': 'Answer',
  'transaction.answerAndFire': 'Answer and fire',
  'transaction.reveal': 'Show the board',
} as const;
