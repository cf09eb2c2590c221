"""Whole games on real ciphertexts while every process of the stack is killed, again and again."""

import random
import threading

import pytest

from bunkerwar.bots import RandomBot
from bunkerwar.client import BunkerWarClient
from bunkerwar.game import GAME
from bunkerwar.rules import Move, State, apply, outcome, view
from fogbound.bots import play
from fogbound.game import Game, Outcome
from fogbound.stack import Stack
from tests.amount import enough
from tests.bunkerwar.conftest import GUEST, HOST
from tests.fogbound.up import Up

KILLS = enough(3, 10)
PAUSE_SECONDS = (0.0, 1.0)
POLL_SECONDS = 0.05


class Match:
    """Two bots that play one game in threads of their own; a move that is tried again is the same move."""

    def __init__(self, stack: Stack, chosen: random.Random) -> None:
        self.clients: list[BunkerWarClient] = [stack.client(GAME, each) for each in (HOST, GUEST)]
        host, guest = self.clients
        self.id = host.open(3, 3, False, opponent=GUEST.address, stake=10**18)
        guest.join(self.id)
        self.moves: dict[int, Move] = {}
        self.failures: list[BaseException] = []
        self.threads = [
            threading.Thread(
                target=self._play, args=(seat, RandomBot(chosen.getrandbits(32))), daemon=True
            )
            for seat in (0, 1)
        ]
        for thread in self.threads:
            thread.start()

    def _play(self, seat: int, bot: RandomBot) -> None:
        client = self.clients[seat]

        def act(game: Game) -> None:
            if game.move_number not in self.moves:
                self.moves[game.move_number] = bot.choose(client.view(self.id))
            client.act(self.id, self.moves[game.move_number])

        try:
            play(client, self.id, act)
        except BaseException as error:
            self.failures.append(error)
            raise

    def is_over(self) -> bool:
        return not any(thread.is_alive() for thread in self.threads)

    def wait_for_a_move(self) -> None:
        """However long a start takes on a busy machine, it goes on before the next kill."""
        before = len(self.moves)
        while len(self.moves) == before and not self.is_over():
            threading.Event().wait(POLL_SECONDS)

    def check(self) -> None:
        """Chain, decryptions and rules tell one story, and every move that was made is in it."""
        for thread in self.threads:
            thread.join(120)
        assert not self.failures
        told = self.clients[0].replay(self.id)
        state = State.new(3, 3, first=told.position.first)
        for number in sorted(self.moves):
            state = apply(state, self.moves[number])
        assert state.finished
        assert told.state == view(state, None)
        assert told.result is outcome(state)
        for client, board in zip(self.clients, state.boards, strict=True):
            assert client.own_board(self.id) == board
            assert client.score(self.id) == board.score
        game = self.clients[0].game(self.id)
        assert game.outcome is (Outcome.DRAWN if str(told.result) == "tie" else Outcome.WON)


@pytest.mark.slow
@pytest.mark.timeout(900)  # that nothing goes on; it is over in a minute
def test_games_survive_kills_of_every_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chosen = random.Random(seed)
    names = ["anvil", "kms", "coprocessor", "keeper"] * KILLS
    chosen.shuffle(names)
    up = Up(tmp_path_factory.mktemp("up"), "concrete")
    up.start()
    try:
        stack = Stack.connect(up.data)
        matches = [Match(stack, chosen)]
        for name in names:
            threading.Event().wait(chosen.uniform(*PAUSE_SECONDS))
            if matches[-1].is_over():
                matches.append(Match(stack, chosen))
            up.kill(name)
            matches[-1].wait_for_a_move()
        for match in matches:
            match.check()
    finally:
        up.stop()
