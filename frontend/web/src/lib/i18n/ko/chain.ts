import type { chain as source } from '../en/chain';
import type { Translation } from '../messages.svelte';

export const chain: Translation<typeof source> = {
  'error.unknown': '문제가 생겼습니다. 페이지를 새로 고친 뒤 다시 시도해 주세요.',

  'error.serverForeign':
    '서버와 이 페이지의 버전이 다릅니다. 새로 고쳐 보시고, 그래도 안 되면 서버 운영자가 업데이트해야 합니다.',
  'error.unreachable': '서버가 응답하지 않습니다. 인터넷 연결을 확인하고 다시 시도해 주세요.',
  'error.serverRefused': '서버가 요청을 처리하지 않았습니다. 잠시 후 다시 시도해 주세요.',
  'error.refused': '체인이 요청을 받아들이지 않았습니다. 잠시 후 다시 시도해 주세요.',
  'error.tooManyRequests': '요청이 너무 많습니다. 몇 초 기다렸다가 다시 시도해 주세요.',
  'error.insufficientFunds': '이더가 부족합니다. 계정에 이더를 채우거나 판돈을 낮춰 주세요.',
  'error.sessionSpent': '세션 키의 가스비가 다 떨어졌습니다. 설정에서 갱신해 주세요.',
  'error.wrongChain': '서버가 이전과 다른 체인에 연결되어 있습니다. 페이지를 새로 고쳐 주세요.',

  'error.transactionFailed': '트랜잭션이 이유 없이 실패했습니다. 다시 시도해 주세요.',
  'error.transactionLost':
    '트랜잭션이 아직 처리되고 있습니다. 페이지를 열어 두거나 나중에 다시 오시면 이어서 확인합니다.',
  'error.transactionReplaced':
    '같은 계정의 다른 트랜잭션이 이 트랜잭션을 대신했습니다. 게임을 확인하고 다시 시도해 주세요.',

  'error.walletRefused': '지갑이 요청을 처리하지 못했습니다. 지갑을 열어 이유를 확인해 주세요.',
  'error.rejected': '지갑에서 거절하셨습니다. 아무것도 전송되지 않았습니다.',
  'error.walletLocked': '지갑의 잠금을 풀고 이 페이지에 연결해 주세요.',
  'error.walletBusy': '지갑이 이미 응답을 기다리고 있습니다. 지갑을 열어 승인하거나 거절해 주세요.',
  'error.walletDisconnected': '지갑이 체인에 연결되어 있지 않습니다. 확인 후 다시 시도해 주세요.',
  'error.wrongNetwork': '지갑이 다른 네트워크에 있습니다. 이 페이지의 네트워크로 바꿔 주세요.',
  'error.accountChanged':
    '지갑의 계정이 바뀌었습니다. {account} 계정으로 되돌리거나 다시 연결해 주세요.',

  'error.storageRefused':
    '브라우저가 이 페이지의 데이터를 저장하지 않아 키를 잃을 수 있습니다. 저장을 허용하거나 시크릿 모드를 끝내 주세요.',
  'error.backupInvalid': '이 페이지의 백업이 아닙니다. 여기서 저장한 파일을 골라 주세요.',
  'error.faucetRefused': '지금은 더 받을 수 없습니다. 잠시 후 다시 시도해 주세요.',
  'error.noSession': '이 게임의 세션 키가 없습니다. 설정에서 승인해 주세요.',

  'error.contract':
    '컨트랙트가 거부했습니다({error}). 페이지를 새로 고치고 게임을 다시 확인해 주세요.',
  'error.unknownGame': '없는 게임입니다.',
  'error.wrongPhase': '게임이 이미 다음 단계로 넘어가 지금은 할 수 없습니다.',
  'error.stakeTooLarge': '판돈이 너무 큽니다. 더 작은 금액을 골라 주세요.',
  'error.wrongStake': '이 게임의 판돈과 다릅니다. 페이지를 새로 고친 뒤 다시 참가해 주세요.',
  'error.opponentIsSelf':
    '자신에게는 도전할 수 없습니다. 다른 상대를 지정하거나 누구나 참가할 수 있게 열어 주세요.',
  'error.notInvited': '다른 플레이어를 위한 자리입니다. 다른 게임을 골라 주세요.',
  'error.alreadySeated': '이미 이 게임에 참가하고 있습니다.',
  'error.notSeated': '이 게임의 플레이어만 할 수 있습니다.',
  'error.notCreator': '게임을 연 사람만 취소할 수 있습니다.',
  'error.deploymentOutdated':
    '이 서버의 컨트랙트는 블록을 세던 이전 버전입니다. 서버 운영자가 새로 배포해야 합니다.',
  'error.drawNotYet': '선공이 아직 정해지지 않았습니다. 다음 블록을 기다려 주세요.',
  'error.drawMissed': '선공 추첨이 늦어져 다시 진행합니다. 잠시 기다려 주세요.',
  'error.notOnTurn': '지금은 내 차례가 아닙니다.',
  'error.noKeepAliveLeft': '규칙이 허용하는 만큼 시간을 모두 연장했습니다.',
  'error.deadlineNotPassed': '아직 시간이 남아 있습니다.',
  'error.ownTimeout':
    '시간이 다 된 쪽은 나입니다. 상대가 아직 시간승을 선언하지 않았다면 지금 두세요.',
  'error.staleOffer': '그사이 국면이 바뀌었습니다. 원하시면 무승부를 다시 제안해 주세요.',
  'error.alreadyOffered': '이 국면에서 이미 무승부를 제안했습니다. 상대의 응답을 기다려 주세요.',
  'error.proofNotAsked': '지금은 증명할 것이 없습니다.',
  'error.voidTooEarly': '아직 할 수 없습니다.',
  'error.voidAlreadyAnnounced': '무효가 이미 예고되었습니다. 기한까지 기다려 주세요.',
  'error.voidNotAnnounced': '먼저 무효를 예고해야 합니다.',
  'error.sessionOutOfRange': '세션이 시작도 하기 전에 끝납니다. 더 길게 잡아 주세요.',
  'error.sessionEnded': '세션 키가 만료되었습니다. 설정에서 갱신해 주세요.',
  'error.sessionKeyUsed': '이 세션 키는 이미 다른 곳에 쓰이고 있습니다. 새 키를 승인해 주세요.',
  'error.senderIsKey':
    '이 계정은 세션 키라서 직접 게임을 할 수 없습니다. 다른 계정을 사용해 주세요.',
  'error.nothingToWithdraw': '찾을 금액이 없습니다.',
  'error.paymentRefused': '받는 쪽이 송금을 거부했습니다. 다른 주소를 입력해 주세요.',

  'error.sizeUnknown': '없는 크기의 판입니다. 목록에서 골라 주세요.',
  'error.wrongNonce': '그사이 다른 탭에서 게임에 참가했습니다. 다시 시도해 주세요.',
  'error.illegalMove': '판을 벗어난 수입니다.',
  'error.alreadyFired': '이미 쏜 칸입니다. 다른 칸을 골라 주세요.',
  'error.answerDue': '상대의 포격에 먼저 응답해야 합니다. 페이지를 잠시 열어 두세요.',
  'error.nothingToAnswer': '응답을 기다리는 포격이 없습니다.',
  'error.illegalFleet':
    '함대를 이렇게 배치할 수 없습니다. 모든 배를 판 안에 겹치지 않게 놓아 주세요.',
  'error.placementLost':
    '이 브라우저에서는 내 판을 열 수 없습니다. 참가할 때 쓴 지갑을 연결하거나 백업을 복원해 주세요.',
  'error.alreadyRevealed': '이미 판을 공개했습니다.',
  'error.revealClosed': '판을 공개할 수 있는 시간이 지났습니다.',
  'error.cellOccupied': '이미 건물이 있습니다. 빈칸을 골라 주세요.',
  'error.cellUnsupported': '아래에 받쳐 줄 건물이 없습니다. 바닥이나 건물 위에 지어 주세요.',
  'error.missileNotArmed': '다음 미사일을 쏘기 전에 한 번 지어야 합니다.',
  'error.proofRefused': '컨트랙트가 증명을 받아들이지 않았습니다. 다시 시도해 주세요.',
  'error.recordInvalid': '이 게임의 기록이 규칙과 맞지 않습니다. 페이지를 새로 고쳐 주세요.',

  'error.insecurePage': '암호화하려면 보안 연결이 필요합니다. https 또는 localhost로 열어 주세요.',
  'error.browserTooOld':
    '브라우저가 오래되어 암호화할 수 없습니다. 업데이트하거나 다른 브라우저를 써 주세요.',
  'error.gatewayKeyChanged':
    '게이트웨이의 키가 이전과 다릅니다. 운영자의 설명을 듣기 전에는 계속하지 마세요.',
  'error.gatewayUnavailable': '게이트웨이가 응답하지 않습니다. 잠시 후 다시 시도해 주세요.',
  'error.inputRefused': '암호화된 건물이 거부되었습니다. 다시 지어 주세요.',
  'error.notAllowed': '이 계정으로는 이 건물들을 볼 수 없습니다. 건물을 지은 계정을 사용해 주세요.',
  'error.signatureRefused':
    '지갑이 다른 계정으로 서명했습니다. 원래 계정으로 되돌린 뒤 다시 시도해 주세요.',
  'error.requestExpired': '열람 권한이 만료되었습니다. 새로 서명해 주세요.',
  'error.notComputedYet': '계산이 평소보다 오래 걸립니다. 잠시 기다렸다가 다시 시도해 주세요.',
  'error.computationFailed':
    '암호화된 계산에 실패했습니다. 페이지를 새로 고친 뒤 다시 시도해 주세요.',

  'transaction.open': '게임 열기',
  'transaction.quickMatch': '빠른 대전',
  'transaction.join': '참가',
  'transaction.leaveSeat': '자리 나가기',
  'transaction.cancel': '게임 취소',
  'transaction.settleDraw': '선공 추첨',
  'transaction.rescheduleDraw': '선공 다시 추첨',
  'transaction.keepAlive': '시간 연장',
  'transaction.offerDraw': '무승부 제안',
  'transaction.resign': '기권',
  'transaction.claimTimeout': '시간승 선언',
  'transaction.closeProof': '증명 시간 마감',
  'transaction.announceVoid': '무효 예고',
  'transaction.voidGame': '게임 무효',
  'transaction.authorize': '세션 키 승인',
  'transaction.revoke': '세션 키 해지',
  'transaction.sendBack': '가스비 돌려받기',
  'transaction.withdraw': '출금',
  'transaction.build': '건설',
  'transaction.sendMissile': '미사일 발사',
  'transaction.resolveMissile': '미사일 판정',
  'transaction.settle': '결과 확정',
  'transaction.fire': '포격',
  'transaction.answer': '응답',
  'transaction.answerAndFire': '응답하고 포격',
  'transaction.reveal': '판 공개',
};
