"""Which accounts the chain shows to be one owner's.

One was paid the other's money, or acts for it; or both have their money paid to, or let act, the same third
one. (What others do with their own money links nobody else: each of these is the act of a linked account.)
"""

from collections.abc import Iterable

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session, aliased

from frontend.app.index.batch import Found
from frontend.app.index.ratings import Pair
from frontend.app.index.schema import LinkRow, place_of

SHOWN_BY = {"Withdrawn": ("account", "to"), "SessionAuthorized": ("player", "key")}


def add_links(session: Session, found: Iterable[Found]) -> None:
    """Keep the links that these events show; of each the first."""
    for each in found:
        event = each.event
        if event.name not in SHOWN_BY:
            continue
        one, other = (str(event.arguments[name]) for name in SHOWN_BY[event.name])
        if one != other and session.get(LinkRow, (one, other)) is None:
            session.add(LinkRow(one=one, other=other, place=place_of(event.block, event.index)))
            session.flush()


def forget_links(session: Session, common: int) -> None:
    """Forget what blocks after `common` have shown."""
    session.execute(delete(LinkRow).where(LinkRow.place >= place_of(common + 1, 0)))


def are_linked(session: Session, pair: Pair, place: int) -> bool:
    """Whether these two were known as one owner's at that place of the chain."""
    link, second = aliased(LinkRow), aliased(LinkRow)
    one, other = pair
    direct = select(link.place).where(
        or_(
            (link.one == one) & (link.other == other),
            (link.one == other) & (link.other == one),
        ),
        link.place < place,
    )
    shared = (
        select(link.place)
        .join(second, link.other == second.other)
        .where(link.one == one, second.one == other, link.place < place, second.place < place)
    )
    return any(session.execute(query.limit(1)).first() for query in (direct, shared))
