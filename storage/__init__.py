"""What must survive: matches, actions, deadlines, posts to send, people, chats. One contract, SQLite behind it.

Nobody above this room writes SQL. A unit of work is a `Database.transaction()`; the modules `matches`, `people` and
`outbox` hold the questions that may be asked within one.
"""
