"""Team sea battle («Морской бой», командный): the rule book.

Terms. Команда красных / синих: team; пара: pair; соперник по паре: opponent; свободный игрок: free player; Адмирал:
admiral; преемник: successor; Рефери: referee; выстрел: shot; ход: a team's turn; передача хода: hand-over; жребий:
lot; «мимо» / «ранил» / «убил»: miss / hit / sunk; выбыл: out; резерв: reserve; СТАРТ ИГРА: START.

Board and fleet (поле, корабли). Each player has a board of 10 x 10 with one ship of four decks, two of three, three
of two, four of one: straight, never touching, corners included. He places it in private, by hand, at random
(uniform over all fleets), or by hand and the rest at random, and confirms it; until START he may place it anew.
START is refused while a fleet is missing; when the time to place is over, the Referee places a random fleet for who
has none, and START is given. At START the salted hash of each fleet is published, at the end fleets and salts are.
(`fleet`, `placing`)

People (участники). Red and Blue are drawn by lot, equal in number, and so are the pairs and the team that begins;
with an odd number the last to join waits. A team's Admiral is the member with most messages, then most matches,
then by lot; the Referee may appoint another. An Admiral who is out names a living successor before the next
hand-over, else one is appointed by rank; until then the acting Admiral leads, or one by rank. One who slept is
replaced at once. An Admiral may name who acts for him; both may then give orders. Newcomers come in only as a pair
that the Referee admits, opponents of each other, one to each team by lot, at the start of a round (before the turn
of the team that began) once both fleets are confirmed. (`lots`, `command`, `reserves`)

Turns (ходы). A player may shoot in his team's turn if he is alive, has a living opponent, and was not hit in the
enemy's last turn (option `hit_costs_answer`; of several attackers any hit takes the one answer). One shot a turn,
at any one of his opponents: his opponent by pair, the one he is attached to, those attached to him. A cell shot at
before, one who is no opponent, another team's turn: refused, and the shot is not used up. When all who may shoot
have shot, the turn is handed over, and the results become known together, in the order of posting (option
`results_at_once`: each at once). Whose last deck is hit is out. A turn in which nobody can shoot passes by itself.
(`duties`, `turns`, `sea`)

Free players (свободные игроки). Whose opponent by pair is out is free. The Admiral sets him against any living
enemy, in the enemy's turn or his own, and anew as long as he has not shot in it. Unattached he has no duty and
cannot sleep; if somebody is attached to him he may answer without an order. Attached he has the duty of everyone
(option `attached_duty`). If his target falls he is free again. Where one enemy is left, free players are attached
to him by themselves. A turn is not handed over by itself while an unattached free player could still get his order
and the Admiral has not shot in it. A team of unattached free players alone gets its whole time; then they are
attached by lot. (`command`, `casualties`)

Time (время). Each turn has a clock of its own. When it runs out, all who have a duty and neither shot nor delegated
are out together; then the results of the others' shots; hand-over. Who may shoot without a duty is waited for, but
not put out.

Delegation (передача хода Адмиралу). A player passes his next shot to his Admiral, in the enemy's turn or his own;
it holds for one turn in which he may shoot (option `standing_delegation`: until withdrawn). His own shot withdraws
it. Who delegated does not sleep: a shot that the Admiral does not make is lost. The Admiral shoots at the
delegator's opponents. (`command`)

Referee (Рефери). START, appointing Admirals, admitting pairs, putting a player out, cancelling that (not for one
whose ships are sunk), ending the match. Leaving is possible at any time and puts out at once.

End (конец). The match ends when a team has nobody alive: at the hand-over, or at once when its last player leaves
or is put out; shots then still in flight count no more, so that never both teams fall. There is no draw. A match
whose team is gone before START has no result.
"""

from typing import Final

from engines.sea_battle.engine import SeaBattle

ENGINE: Final = SeaBattle()

__all__ = ["ENGINE", "SeaBattle"]
