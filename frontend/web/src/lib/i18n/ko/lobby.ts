import type { lobby as source } from '../en/lobby';
import type { Translation } from '../messages.svelte';

export const lobby: Translation<typeof source> = {
  'hero.eyebrow': '숨은 정보의 게임',
  'hero.title': '안개 속은 아무도 볼 수 없습니다',
  'hero.lead':
    '공개된 체인 위에서도 비밀을 지키는 두 가지 게임. 건물은 암호화되고, 함대는 봉인되며, 결과는 증명됩니다.',
  'card.bunkerwar':
    '집인지 벙커인지 아무도 모르게 짓고, 보이지 않는 곳으로 미사일을 쏘세요. 모든 계산은 암호화된 채로 이루어집니다.',
  'card.battleship':
    '함대를 숨기고 상대의 함대를 찾아내세요. 모든 대답이 증명되므로 명중을 속일 수 없습니다.',
  'card.rules': '게임 방법',
  'card.options': '판과 봇 고르기',

  'lobby.bot': '봇과 대전',
  'lobby.match': '빠른 대전',
  'lobby.create': '새 게임',
  'lobby.mine': '내 게임',
  'lobby.continue': '이어 하기',
  'lobby.continueGame': '{game} 이어 하기',
  'lobby.cancel': '취소',
  'lobby.cancelGame': '{game} 취소',
  'lobby.copyLink': '{game} 링크 복사',
  'lobby.open': '상대를 기다리는 게임',
  'lobby.openHint': '바로 참가할 수 있습니다.',
  'lobby.openEmpty': '기다리는 사람이 없습니다. 새 게임을 열거나 그동안 봇과 대전해 보세요.',
  'lobby.join': '참가',
  'lobby.joinGame': '{game} 참가',
  'lobby.live': '진행 중인 게임',
  'lobby.liveHint': '모두에게 보이는 그대로 관전합니다.',
  'lobby.liveEmpty': '바다가 고요합니다.',
  'lobby.watch': '관전',
  'lobby.watchGame': '{game} 관전',

  'setup.bot': '{kind}: 봇과 대전',
  'setup.botHint': '판돈 없이 바로 시작하는 연습 게임입니다.',
  'setup.botGo': '게임 시작',
  'setup.match': '{kind}: 빠른 대전',
  'setup.matchHint':
    '같은 판과 판돈으로 가장 오래 기다린 사람과 만납니다. 아무도 없으면 상대를 기다립니다.',
  'setup.matchGo': '상대 찾기',
  'setup.open': '{kind}: 새 게임',
  'setup.openHint':
    '공유할 링크가 생깁니다. 누가 참가하기 전까지는 취소하고 판돈을 돌려받을 수 있습니다.',
  'setup.openGo': '게임 열기',
  'setup.strength': '봇',
  'setup.size': '판 크기',
  'setup.lanes': '줄 수',
  'setup.depth': '깊이',
  'setup.actions': '두 플레이어가 각각 {count}번씩 행동합니다.',
  'setup.stacked': '쌓기:',
  'setup.stackedHint': '맨 아랫줄이나 다른 건물 위에만 지을 수 있습니다.',
  'lobby.anyPace': '모든 시간',
  'setup.pace': '시간',
  'setup.stake': '판돈 (ETH)',
  'setup.stakeHint': '판돈이 없으면 친선 게임입니다. 판돈이 {least} 이상이면 레이팅에 반영됩니다.',
  'setup.stakePrize': '승자는 {prize}를 받습니다. 두 판돈에서 1%를 뺀 금액입니다.',
  'setup.stakeUnrated':
    '승자는 {prize}를 받습니다. 두 판돈에서 1%를 뺀 금액입니다. 판돈이 {least}보다 적어 레이팅에는 반영되지 않습니다.',
  'setup.stakeWrong': '올바른 금액이 아닙니다. 0.05처럼 입력하세요.',
  'setup.stakeTooMuch': '가진 금액({balance})보다 많습니다.',
  'setup.opponent': '상대 (선택)',
  'setup.opponentHint': '이 계정만 참가할 수 있습니다.',
  'setup.unlisted': '비공개:',
  'setup.unlistedHint': '로비에 나오지 않고, 링크로만 참가합니다.',

  'join.title': '{game} 참가',
  'join.host': '상대',
  'join.board': '판 크기',
  'join.noStake': '없음 (친선)',
  'join.go': '게임 참가',
  'join.goStake': '{stake}로 참가',
};
