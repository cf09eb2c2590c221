"""`ape run deploy [--network …]`: the games on the chain that ape is connected to.

On a local chain without host contracts these come first, for the keys in the data folder. Elsewhere the
preset's deployer pays (see .env.example), and the addresses go into the preset's file (`fogbound deploy`
needs no ape).
"""

from pathlib import Path

import click
from ape import networks
from ape.cli import ConnectedProviderCommand
from eth_account import Account

from fhevm.addresses import LOCAL_CHAIN_ID
from fhevm.backends import get_backend
from fhevm.host import HostSigners, deploy_host
from fhevm.keyfiles import ensure_keys, load_host
from fogbound import console
from fogbound.accounts import DEPLOYER
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.games import TableTerms, installed_games
from fogbound.settings import load_preset, write_back


@click.command(cls=ConnectedProviderCommand)
@click.option("--data", type=Path, default=Path(".fogbound"), help="Folder with the fhEVM's keys.")
@click.option("--backend", default="concrete", help="Of the keys, where there are none yet.")
def cli(data: Path, backend: str) -> None:
    chain = Chain(networks.provider.web3)
    preset, deployer = load_preset(), DEPLOYER
    if chain.chain_id == LOCAL_CHAIN_ID:
        public = ensure_keys(data, get_backend(backend))
        signers = HostSigners(public.kms_signer, public.attestation_signer)
        deploy_host(chain.web3, Account.from_key(load_host(data).owner), signers)
    else:
        deployer = preset.deployer(console.ask_passphrase)
    connection = Connection(chain, Registry())
    terms = TableTerms(preset.pool_owner or deployer.address, preset.clocks, preset.time_controls)
    for spec in installed_games().values():
        made = connection.deploy(spec, deployer, terms)
        click.echo(f"{spec.name} {made.address}")
        if chain.chain_id == preset.chain_id != LOCAL_CHAIN_ID:
            write_back(preset, made)
