import type { settings as source } from '../en/settings';
import type { Translation } from '../messages.svelte';

export const settings: Translation<typeof source> = {
  'identity.title': '내 계정',
  'identity.kind': '로그인 방법',
  'identity.key': '이 브라우저의 키',
  'identity.account': '계정',
  'identity.balance': '잔액',
  'identity.nobody': '관전은 누구나 할 수 있습니다. 플레이하려면 시작하기를 누르세요.',
  'identity.locked': '{name}에서 계정을 보여 주지 않습니다. 잠금을 풀거나 다시 연결하세요.',
  'identity.wrongChain': '지갑이 다른 네트워크에 있습니다. 이 페이지는 체인 {id}에서 플레이합니다.',
  'identity.switch': '네트워크 전환',
  'identity.change': '다른 계정으로 플레이',
  'identity.disconnect': '로그아웃',
  'identity.kept': '로그아웃해도 키는 이 브라우저에 남습니다.',

  'backup.title': '백업',
  'backup.hint':
    '브라우저 키와 세션 키, 지갑에서 다시 만들 수 없는 판의 키를 파일 하나에 담습니다.',
  'backup.missingKey':
    '아직 백업하지 않았습니다. 브라우저 데이터를 지우면 키와 자금, 진행 중인 게임을 잃습니다.',
  'backup.missingBoards':
    '이 지갑은 매번 다르게 서명하므로, 판을 지키는 임의의 비밀 값을 이 브라우저에 보관합니다. 백업이 없으면 브라우저 데이터와 함께 진행 중인 게임을 잃습니다.',
  'backup.remind': '키가 이 브라우저에만 있습니다.',
  'backup.now': '백업하기',
  'backup.make': '백업 저장',
  'backup.restore': '백업 복원',
  'backup.secret':
    '이 파일을 가진 사람은 나를 대신해 플레이하고 자금을 가져갈 수 있습니다. 아무에게도 보여 주지 마세요.',
  'backup.restoreHint':
    '저장해 둔 파일을 선택하거나, 그 내용 또는 개인 키를 붙여 넣으세요. 이 브라우저에 있던 것은 그대로 남습니다.',
  'backup.file': '백업 파일',
  'backup.text': '또는 파일 내용',
  'backup.adds': '이 파일은 다음 계정을 이 브라우저로 가져옵니다.',
  'backup.playAs': '복원하면 {account} 계정으로 플레이합니다.',
  'backup.restoreGo': '복원',
  'backup.restored': '복원했습니다. 다시 오신 것을 환영합니다.',

  'session.title': '세션 키',
  'session.hint':
    '이 브라우저의 키가 수마다 대신 서명하므로 지갑 창이 매번 뜨지 않습니다. 수를 둘 수는 있지만 판돈과 상금은 건드릴 수 없습니다.',
  'session.of': '{game} 세션 키',
  'session.active': '서명 중',
  'session.none': '사용 안 함',
  'session.key': '키',
  'session.allowance': '남은 가스비',
  'session.end': '만료',
  'session.until': '{date}, 약 {time} 뒤',
  'session.ended': '만료됨',
  'session.money': '가스비 (ETH)',
  'session.days': '기간',
  'session.authorize': '허용',
  'session.renew': '갱신',
  'session.revoke': '해지',
  'session.sendBack': '남은 가스비 돌려받기',
  'session.offer':
    '{game}에서 수를 둘 때마다 지갑이 확인을 요청합니다. {time} 동안 이 브라우저의 키가 가스비 {money}로 대신 서명할 수 있고, 남은 금액은 돌려받습니다.',
  'session.offerGo': '이 브라우저로 {game} 서명하기',
  'session.terms': '조건 바꾸기',
  'session.authorized': '이제 이 브라우저가 대신 서명합니다.',
  'session.sentBack': '{amount}를 계정으로 돌려보냈습니다.',

  'credits.title': '받을 금액',
  'credits.hint': '계정으로 바로 지급되지 못한 상금이 여기에서 기다립니다.',
  'credits.none': '남은 금액이 없습니다. 모두 지급되었습니다.',
  'credits.withdraw': '{amount} 받기',
  'credits.withdrawn': '지급했습니다.',
  'credits.receiver': '받을 주소 (선택)',
  'credits.receiverHint': '적지 않으면 내 계정으로 지급합니다. 내 계정이 한 번 거절한 금액입니다.',

  'appearance.title': '화면',
  'appearance.language': '언어',
  'appearance.theme': '테마',
  'appearance.motion': '움직임 줄이기',
  'appearance.motionHint': '시스템 설정과 관계없이 애니메이션을 끕니다.',
  'theme.system': '시스템 설정',
  'theme.light': '밝게',
  'theme.dark': '어둡게',

  'signals.title': '소리와 알림',
  'signals.sound': '소리',
  'signals.soundHint': '내 차례가 되거나 포격이 있을 때 짧게 울립니다.',
  'signals.notifications': '알림',
  'signals.notificationsHint': '페이지를 보고 있지 않을 때 내 차례를 알려 줍니다.',
  'signals.denied': '브라우저가 이 페이지의 알림을 막고 있습니다. 사이트 설정에서 허용해 주세요.',
};
