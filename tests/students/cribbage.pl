% A student's Cribbage in Prolog, wrong on purpose: it counts pairs and fifteens only, and keeps the first
% four cards.

hand_value(Hand, Start, Value) :-
    findall(2, pair([Start|Hand]), Pairs),
    findall(2, fifteen([Start|Hand]), Fifteens),
    sum_list(Pairs, P),
    sum_list(Fifteens, F),
    Value is P + F.

select_hand([A,B,C,D|Crib], [A,B,C,D], Crib).

pair(Cards) :-
    append(_, [card(Rank,_)|Rest], Cards),
    member(card(Rank,_), Rest).

fifteen(Cards) :-
    sub(Cards, Chosen),
    maplist(pips, Chosen, Pips),
    sum_list(Pips, 15).

sub([], []).
sub([C|Cs], [C|Chosen]) :- sub(Cs, Chosen).
sub([_|Cs], Chosen) :- sub(Cs, Chosen).

pips(card(Rank,_), Pips) :-
    (   integer(Rank) -> Pips = Rank
    ;   Rank == ace -> Pips = 1
    ;   Pips = 10
    ).
