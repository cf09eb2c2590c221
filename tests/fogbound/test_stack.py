"""The stack in one process."""

from dataclasses import replace

import pytest

from fhevm import hpke
from fhevm.devchain import dev_accounts
from fhevm.errors import HostForeign, KeyChanged
from fogbound.errors import ChainUnreachable, GameNotInstalled, StackNotRunning
from fogbound.game import Phase
from fogbound.keeping import KeeperOptions, _keeper
from fogbound.stack import LocalStack, Stack
from fogbound.stackinfo import StackInfo
from tests.fogbound.sandbox import GAME


def play_a_little(stack):
    """Open, join, draw, wait, resolve, win; what there is to compare of it."""
    host, guest = (stack.client(GAME, account) for account in dev_accounts()[1:3])
    game_id = host.open(b"", 2, stake=10)
    guest.join(game_id)
    first = host.wait_for(game_id, lambda game: game.phase is Phase.PLAYING, seconds=10).on_turn
    mover = (host, guest)[first]
    mover.begin_wait(game_id)
    game = host.wait_for(game_id, lambda game: game.phase is Phase.PLAYING, seconds=10)
    (host, guest)[game.on_turn].win(game_id, game.on_turn)
    return [event.transaction for event in stack.history(GAME).of_game(game_id)]


def test_one_thread_plays_all_seats():
    with LocalStack(games=[GAME]) as stack:
        assert len(play_a_little(stack)) == 6


def test_a_seeded_run_repeats_itself():
    runs = []
    for _ in range(2):
        with LocalStack(games=[GAME], seed=bytes(31) + b"\7") as stack:
            runs.append((play_a_little(stack), stack.chain.block_hash(stack.chain.block_number)))
    assert runs[0] == runs[1]


def test_nothing_is_left_running():
    with LocalStack(games=[]) as stack:
        chain = stack.chain
    with pytest.raises(ChainUnreachable):
        _ = chain.block_number


def test_a_stack_that_does_not_run(tmp_path):
    with pytest.raises(StackNotRunning, match="fogbound up"):
        Stack.connect(tmp_path)


def test_a_game_that_is_not_installed():
    with LocalStack(games=[]) as stack, pytest.raises(GameNotInstalled, match="chess"):
        stack.client("chess", dev_accounts()[1])


# -- gateways that show other keys -----------------------------------------------------------------------


class Impostor:
    """Holds the gateway's place and shows keys of its own: `changes` to the stack's."""

    def __init__(self, gateway, **changes):
        self._material = gateway.key_material()
        self._material["publicKeys"] = self._material["publicKeys"] | changes

    def key_material(self):
        return self._material


@pytest.fixture
def running(tmp_path, monkeypatch):
    """A stack with its `stack.json`; `answer_with(transport)` puts something at the gateway's address."""
    with LocalStack(games=[GAME]) as stack:
        public = stack.fhevm.public
        StackInfo(
            pid=1,
            rpc=stack.chain.web3.provider.endpoint_uri,
            gateway="http://gateway",
            chain_id=stack.chain.chain_id,
            backend=public.backend,
            fingerprint=public.fingerprint,
            processes={},
        ).write(tmp_path)
        stack.data = tmp_path
        stack.answer_with = lambda transport: monkeypatch.setattr(
            "fhevm.client.Http", lambda url: transport
        )
        yield stack


def keeper_options(stack):
    info = StackInfo.read(stack.data)
    return KeeperOptions(
        data=stack.data,
        rpc=info.rpc,
        gateway=info.gateway,
        account=dev_accounts()[-1],
        registry=stack.registry,
        fingerprint=info.fingerprint,
    )


def test_the_gateway_of_the_stack_is_known(running):
    running.answer_with(running.fhevm_local.gateway)
    assert Stack.connect(running.data).fhevm.public == running.fhevm.public


def test_attack_gateway_that_reads_inputs(running):
    """It shows an HPKE key of its own, to open what is sealed for the KMS."""
    own = hpke.public_key(b"\7" * 32).hex()
    running.answer_with(Impostor(running.fhevm_local.gateway, hpke=own))
    with pytest.raises(KeyChanged):
        Stack.connect(running.data)
    with pytest.raises(KeyChanged):
        _keeper(keeper_options(running), [GAME])


@pytest.mark.parametrize("signer", ["kmsSigner", "attestationSigner"])
def test_attack_gateway_that_signs_for_itself(running, signer):
    """Also whoever pins nothing asks the chain whose signatures count."""
    outsider = dev_accounts()[3].address
    running.answer_with(Impostor(running.fhevm_local.gateway, **{signer: outsider}))
    with pytest.raises(HostForeign, match=outsider):
        _keeper(replace(keeper_options(running), fingerprint=None), [GAME])
