"""Topics of a forum, whoever makes or changes them."""

from playground.api import Api
from playground.compose import next_id
from playground.members import service_message
from playground.wire import Json
from playground.world import GENERAL_THREAD, TOPIC_COLOURS, Chat, Message, Person, Topic


def general_topic(chat: Chat) -> Topic:
    """The General topic of a forum, made when first needed."""
    return chat.topics.setdefault(GENERAL_THREAD, Topic(GENERAL_THREAD, "General"))


def create_topic(
    api: Api, chat: Chat, name: str, by: Person, *, color: int | None = None, icon: str | None = None
) -> Topic:
    """A new topic; its number is that of the service message that opens it."""
    number = next_id(chat)
    topic = Topic(number, name, color or TOPIC_COLOURS[number % len(TOPIC_COLOURS)], icon)
    service: Json = {"forum_topic_created": {"name": name, "icon_color": topic.icon_color}}
    if icon:
        service["forum_topic_created"]["icon_custom_emoji_id"] = icon
    topic.root = Message(chat, number, int(api.world.now()), by, service=service, topic=topic)
    chat.topics[number] = topic
    api.world.post(topic.root)
    api.deliver(topic.root)
    api.world.state_changed()
    return topic


def topic_note(api: Api, chat: Chat, topic: Topic, by: Person, service: Json) -> None:
    """A service message inside a topic."""
    if topic.thread_id == GENERAL_THREAD:
        service_message(api, chat, by, service)
        return
    message = Message(chat, next_id(chat), int(api.world.now()), by, service=service, topic=topic)
    api.world.post(message)
    api.deliver(message)


def set_closed(api: Api, chat: Chat, topic: Topic, by: Person, closed: bool) -> None:
    """Close or reopen a topic."""
    topic.closed = closed
    topic_note(api, chat, topic, by, {"forum_topic_closed" if closed else "forum_topic_reopened": {}})
    api.world.state_changed()


def delete_topic(api: Api, chat: Chat, topic: Topic) -> None:
    """A topic goes with all its messages; the bot hears nothing."""
    del chat.topics[topic.thread_id]
    for message in [one for one in chat.messages.values() if one.topic is topic]:
        api.world.delete(message)
    api.world.state_changed()
