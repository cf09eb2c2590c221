/** The rules of both games, and what keeps the secrets. */
export const about = {
  'about.title': 'How it is played',
  'about.lead': 'Both games are for two. You take turns; whoever is drawn by lot moves first.',
  'about.contents': 'On this page',

  'about.bunkerwar.1':
    'Each player has an empty board of rows. On your turn you do one of three things: build a house, build a bunker, or send a missile along one of the opponent’s rows.',
  'about.bunkerwar.2':
    'Everybody sees where you build, but what it is stays encrypted: one bit, house or bunker, that only you can read.',
  'about.bunkerwar.3':
    'A missile enters a row from the front and flies towards the base. It destroys every house on its way and stops at the first bunker. Where it stopped is all that becomes known.',
  'about.bunkerwar.4':
    'A bunker is never destroyed and protects what stands behind it. Between two missiles you must build once. Destroyed cells can be built on again.',
  'about.bunkerwar.5':
    'When both have acted as often as a board has cells, the houses that stand are counted under encryption. Only who won, or that it is a tie, is decrypted. The boards stay secret for ever.',
  'about.bunkerwar.6': 'Stacked: a building must stand on the base line or on another building.',

  'about.battleship.1':
    'You place a fleet on a square board: straight ships, across or down, inside the board and without overlap. They may touch.',
  'about.battleship.2':
    'The fleet is committed when you sit down: a hash on the chain fixes it without showing it.',
  'about.battleship.3':
    'You fire at a cell; the other side answers with a proof that the contract checks. A false answer loses the game. Turns alternate, also after a hit.',
  'about.battleship.4':
    'Answers go out by themselves while the page is open, on any page of this site. Who does not answer in time loses.',
  'about.battleship.5':
    'Whoever has hit the whole fleet of the other wins, and is paid once they have shown that their own board was legal and every sunk ship was told.',
  'about.fleet': 'Fleet',
  'about.fleet.small': '6 × 6 and 8 × 8: Cruiser (3), Destroyer (2)',
  'about.fleet.middle':
    '10 × 10: Carrier (5), Battleship (4), Cruiser (3), Submarine (3), Destroyer (2)',
  'about.fleet.large':
    '12 × 12 and more: SuperCarrier (6), Carrier (5), Battleship (4), Cruiser (3), two Submarines (3), two Destroyers (2)',

  'about.table': 'Stakes, clock and endings',
  'about.table.1':
    'Both pay the same stake when they sit down. The winner gets both stakes less 1 %. After a draw each gets their stake back in full.',
  'about.table.2':
    'How long you have for each move is agreed when the game is opened: {paces}. A few times a game you may take as much again.',
  'about.table.3':
    'When the clock has run out, the other player may claim the game. Nothing ends by itself: until then a late move still counts.',
  'about.table.4':
    'You can resign at any time, or offer a draw. Once both sit, nobody else can stop a game or take its money.',

  'about.secrets': 'What keeps the secrets',
  'about.secrets.1':
    'Bits are encrypted and fleets are committed in your browser. This server, its index and the chain never see them.',
  'about.secrets.2':
    'The key that could decrypt everything is held by a key service, which decrypts only what the contracts allow. On this local network it runs on the server’s machine: whoever runs that machine could read encrypted buildings. Battleship needs no such trust.',
  'about.secrets.3':
    'Every finished game has a record with all proofs, which anyone can verify without this site.',
} as const;
