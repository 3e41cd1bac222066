package main

import (
	"math"
	"sort"
)

// How to play: the only file you need to edit.

// Your login, without colons. The avatar is your public name.
const (
	GithubID = "starter-go"
	Avatar   = "Go Starter"
)

const (
	// A bet means a better hand than average, so a call must promise this many times its price.
	caution = 1.5
	// Raise when we can expect this many times the share of an average player.
	edge = 1.3
)

// Strategy plays the whole game, so its fields keep their values from round to round.
type Strategy struct{}

// Decide answers with q.Fold(), q.Call() or q.RaiseBy(chips).
//
// The fields of a question are listed in main.go at "type Question".
func (s *Strategy) Decide(q *Question) Reply {
	share := expectedShare(q)
	if share*float64(q.Pot+q.ToCall) < caution*float64(q.ToCall) {
		return q.Fold()
	}
	averageShare := 1 / float64(len(q.Others)+1)
	if share > edge*averageShare {
		// Half the pot is a raise that worse hands still pay, a tenth of the stack one we can afford to lose.
		more := q.Pot / 2
		if q.Stack/10 < more {
			more = q.Stack / 10
		}
		return q.RaiseBy(more)
	}
	return q.Call()
}

// RoundOver is called after each round. A place to learn from, which this strategy does not.
func (s *Strategy) RoundOver(won bool, winningHand []Card) {}

// expectedShare is our average share of the pot if all hands were compared now, without any folds.
func expectedShare(q *Question) float64 {
	unseen := q.Unseen()
	bestHand := chanceOfBestHand(q, unseen)
	spadeHalf := chanceOfNoBetterSpade(q, unseen)
	if q.Hole.Suit != 'S' {
		spadeHalf *= bestHand // with no spade in any hole, the best hand takes it all
	}
	return (bestHand + spadeHalf) / 2
}

// chanceOfBestHand tries every unseen card as the hole card of each other player.
func chanceOfBestHand(q *Question, unseen []Card) float64 {
	ours := handValue(q.Hole, q.Up)
	chance := 1.0
	for _, openCards := range q.Others {
		beaten := 0.0
		for _, hole := range unseen {
			switch order := compare(ours, handValue(hole, openCards)); {
			case order > 0:
				beaten++
			case order == 0:
				beaten += 0.5
			}
		}
		chance *= beaten / float64(len(unseen))
	}
	return chance
}

// chanceOfNoBetterSpade tells how likely it is that no other player has a spade in the hole that beats ours, if
// ours is one.
func chanceOfNoBetterSpade(q *Question, unseen []Card) float64 {
	toBeat := 0
	if q.Hole.Suit == 'S' {
		toBeat = q.Hole.Rank
	}
	better := 0
	for _, card := range unseen {
		if card.Suit == 'S' && card.Rank > toBeat {
			better++
		}
	}
	return math.Pow(1-float64(better)/float64(len(unseen)), float64(len(q.Others)))
}

// handValue is larger for a better hand: three of a kind, then a pair, then the high cards. The first number tells
// how many cards match another; the ranks follow, matching ones first, then from high to low.
func handValue(hole Card, openCards []Card) []int {
	times := map[int]int{hole.Rank: 1}
	ranks := []int{hole.Rank}
	for _, card := range openCards {
		times[card.Rank]++
		ranks = append(ranks, card.Rank)
	}
	sort.Slice(ranks, func(i, j int) bool {
		if times[ranks[i]] != times[ranks[j]] {
			return times[ranks[i]] > times[ranks[j]]
		}
		return ranks[i] > ranks[j]
	})
	return append([]int{len(ranks) - len(times)}, ranks...)
}

// compare is above 0 if the first value is the larger one, and 0 if they are equal.
func compare(first, second []int) int {
	for i := 0; i < len(first) && i < len(second); i++ {
		if first[i] != second[i] {
			return first[i] - second[i]
		}
	}
	return len(first) - len(second)
}
