% The two predicates of the Prolog Cribbage document, answered by the casino program.
%
%     ?- hand_value([card(5,hearts),card(5,spades),card(5,clubs),card(jack,diamonds)],
%                   card(5,diamonds), Value).
%     Value = 29.
%
% The program is found in PATH, or where the environment variable CASINO says.

:- module(casino_cribbage, [hand_value/3, select_hand/3]).

:- use_module(library(process)).
:- use_module(library(readutil)).

%! hand_value(+Hand, +Startcard, -Value) is semidet.
%
%  Value is the score of the four cards of Hand with Startcard.
hand_value(Hand, Startcard, Value) :-
    append(Hand, [Startcard], Cards),
    ask(value, Cards, Answer),
    number_string(Value, Answer).

%! select_hand(+Cards, -Hand, -Cribcards) is semidet.
%
%  Hand is the four of the four to six Cards that are worth most on average over all start cards that
%  were not dealt, Cribcards the others, both in the order of Cards.
select_hand(Cards, Hand, Cribcards) :-
    ask(select, Cards, Answer),
    split_string(Answer, " ", "", Words),
    maplist(term_string, Hand, Words),
    subtract(Cards, Hand, Cribcards).

%! ask(+Task, +Cards, -Answer:string) is det.
%
%  What the program prints. It says itself what is wrong with cards it cannot use.
ask(Task, Cards, Answer) :-
    must_be(ground, Cards),
    maplist(term_to_atom, Cards, Words),
    program(Program),
    process_create(Program, [cribbage, Task | Words],
                   [stdout(pipe(Out)), process(Process)]),
    call_cleanup(read_line_to_string(Out, Line), close(Out)),
    process_wait(Process, Status),
    (   Status == exit(0)
    ->  Answer = Line
    ;   throw(error(casino(Status, Task, Cards), _))
    ).

program(Program) :-
    (   getenv('CASINO', Program)
    ->  true
    ;   Program = path(casino)
    ).
