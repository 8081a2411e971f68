"""The opening scene: people, a group ready to play, a forum, the bot in both."""

from playground.api import Api
from playground.people import new_group
from playground.topics import create_topic
from playground.world import ChatType, Person, Status

PEOPLE = (
    (501_001_001, "ZimA", None, "zima_sea", "ru"),
    (501_001_002, "Адвокат", None, "advokat_d", "ru"),
    (501_001_003, "Вирт", None, "virt_uoz", "ru"),
    (501_001_004, "Юнга", None, None, "ru"),
    (501_001_005, "Mirra", None, "mirra_m", "en"),
    (501_001_006, "Боцман", "Палыч", "bocman_p", "ru"),
    (501_001_007, "Kapitan", "Nemo", "nemo20k", "en"),
)
GROUP_ID = -1_002_000_000_101
FORUM_ID = -1_002_000_000_102
SMALL_GROUP_ID = -4_000_000_103


def open_scene(api: Api) -> list[Person]:
    """Fill an empty world; gives the people. What the bot would have heard of it is forgotten."""
    people = [
        api.world.add_person(number, first, last_name=last, username=username, language_code=language)
        for number, first, last, username, language in PEOPLE
    ]
    people[0].started = people[1].started = True
    new_group(
        api,
        ChatType.SUPERGROUP,
        "Кают-компания",
        members=people,
        admins=[people[0], people[5]],
        bot=Status.MEMBER,
        chat_id=GROUP_ID,
    )
    forum = new_group(
        api,
        ChatType.SUPERGROUP,
        "Игротека",
        is_forum=True,
        members=people,
        admins=[people[1]],
        bot=Status.ADMINISTRATOR,
        chat_id=FORUM_ID,
    )
    for name in ("Морской бой", "Флудилка"):
        create_topic(api, forum, name, people[1])
    new_group(
        api,
        ChatType.GROUP,
        "Камбуз",
        members=people[:4],
        admins=[people[2]],
        bot=Status.MEMBER,
        chat_id=SMALL_GROUP_ID,
    )
    api.updates.clear()
    return people
