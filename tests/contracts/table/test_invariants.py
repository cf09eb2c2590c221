"""The invariants of ITable.sol, numbered there, as a state machine against the deployed contract.

Beside the contract runs a model (model.py) that foretells each action: accepted, or refused with
which error. FOGBOUND_SEED repeats a run.
"""

import os
import random

from eth_account import Account
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from fhevm.freshchain import ask, fresh_chain
from tests.amount import enough
from tests.contracts.table.machine import TableMachine
from tests.contracts.table.model import TableModel


def prepare(project):
    """A chain, what to deploy on it, and a session key with gas of its own."""
    w3 = fresh_chain()
    key = Account.from_key(w3.keccak(text="session key"))
    ask(w3, "anvil_impersonateAccount", key.address)
    w3.eth.send_transaction({"from": w3.eth.accounts[0], "to": key.address, "value": 10**20})
    names = ("Sandbox", "Refuser", "Withdrawer", "EtherForcer")
    TableMachine.contracts = {name: project.get_contract(name).contract_type for name in names}
    TableMachine.w3, TableMachine.key = w3, key


def exercised():
    """The actions that the model knows, each of which must have been accepted."""
    functions = {function.name for function in TableMachine.contracts["Sandbox"].mutable_methods}
    return sorted(functions & set(vars(TableModel)))


def run(number):
    options = settings(
        max_examples=enough(20, 100),
        stateful_step_count=20,
        database=None,
        phases=[Phase.generate],  # to shrink a chain's history takes minutes
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(number)(TableMachine), settings=options)


def test_invariants(project):
    number = int(os.environ.get("FOGBOUND_SEED") or random.randrange(2**32))
    print(f"FOGBOUND_SEED={number}")
    prepare(project)
    for turn in range(12):  # a round leaves some actions out; two rounds at least
        run(number + turn)
        if turn and all(TableMachine.accepted[name] for name in exercised()):
            break
    print("accepted", dict(TableMachine.accepted))
    print("refused", dict(TableMachine.refused))
    assert len(exercised()) == 27
    for name in exercised():
        assert TableMachine.accepted[name] > 0, f"{name} was never accepted"
