"""The coprocessor's tables.

A value is named by a hash of how it was made, so the same operation in two blocks is two rows of
`operations` and one of `ciphertexts`. An operation is done when there is a ciphertext, failed when there
is a failure, pending when there is neither.
"""

from sqlalchemy import ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

HANDLE = LargeBinary(32)


class Base(DeclarativeBase):
    """Root of the tables."""


class Chain(Base):
    """The one row that says which chain this store follows."""

    __tablename__ = "chain"
    id: Mapped[int] = mapped_column(primary_key=True)
    genesis: Mapped[bytes] = mapped_column(LargeBinary(32))
    host: Mapped[str] = mapped_column(String(200))


class BlockRow(Base):
    """A block that was read; what depends on it goes with it."""

    __tablename__ = "blocks"
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32))


class OperationRow(Base):
    """An executor event."""

    __tablename__ = "operations"
    block: Mapped[int] = mapped_column(
        ForeignKey("blocks.number", ondelete="CASCADE"), primary_key=True
    )
    index: Mapped[int] = mapped_column(primary_key=True)
    transaction: Mapped[bytes] = mapped_column(LargeBinary(32))
    account: Mapped[str] = mapped_column(String(42))  # that sent the transaction
    caller: Mapped[str] = mapped_column(String(42))  # the contract that called the executor
    name: Mapped[str] = mapped_column(String(20))
    operands: Mapped[str] = mapped_column(Text)
    result: Mapped[bytes] = mapped_column(HANDLE, index=True)


class PermissionRow(Base):
    """An ACL event."""

    __tablename__ = "permissions"
    block: Mapped[int] = mapped_column(
        ForeignKey("blocks.number", ondelete="CASCADE"), primary_key=True
    )
    index: Mapped[int] = mapped_column(primary_key=True)
    handle: Mapped[bytes] = mapped_column(HANDLE, primary_key=True, index=True)
    public: Mapped[bool]


class CiphertextRow(Base):
    """A computed value, as the backend dumped it."""

    __tablename__ = "ciphertexts"
    handle: Mapped[bytes] = mapped_column(HANDLE, primary_key=True)
    data: Mapped[bytes]


class FailureRow(Base):
    """Why a value cannot be computed."""

    __tablename__ = "failures"
    handle: Mapped[bytes] = mapped_column(HANDLE, primary_key=True)
    error: Mapped[str] = mapped_column(Text)


class InputRow(Base):
    """A value of an attested input."""

    __tablename__ = "inputs"
    handle: Mapped[bytes] = mapped_column(HANDLE, primary_key=True)
    blob: Mapped[bytes] = mapped_column(ForeignKey("blobs.digest"), index=True)
    place: Mapped[int]  # among the values of its input


class BlobRow(Base):
    """The ciphertext of an attested input, by the SHA-256 of its handles and itself.

    No bytes at all: it was forgotten, since no block used it in time.
    """

    __tablename__ = "blobs"
    digest: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    data: Mapped[bytes]
