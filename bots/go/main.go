// The wire: connects to the dealer, reads its commands and writes the replies.
//
// Nothing here needs editing. How to play is in strategy.go.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"
)

const (
	maxRaise     = 10
	longestFrame = 0xFFFF
	// The seconds in which we try to come back after a game, or when the connection is lost.
	patience = 600
	// The seconds between two tries grow up to this.
	longestPause = 15
	// Nobody listens, and a connection that broke, as Windows has them: its numbers are not those of package syscall.
	windowsRefused = syscall.Errno(10061)
	windowsReset   = syscall.Errno(10054)
)

// Card is a card, written as in "10S" or "AD".
type Card struct {
	Rank int  // 2 to 14: the jack is 11, the ace 14
	Suit byte // one of C, D, H and S
}

var ranks = []string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"}

func parseCard(text string) (Card, bool) {
	if text == "" || !strings.ContainsRune("CDHS", rune(text[len(text)-1])) {
		return Card{}, false
	}
	for i, name := range ranks {
		if name == text[:len(text)-1] {
			return Card{i + 2, text[len(text)-1]}, true
		}
	}
	return Card{}, false
}

// Reply is a legal answer to one question. Only a question makes them.
type Reply struct{ text string }

// Question is one "bet1" or "bet2" from the dealer, and the legal answers to it.
type Question struct {
	Street int      // 1 or 2
	Stack  int64    // chips we have left
	Pot    int64    // chips in the middle
	ToCall int64    // chips we still have to add to stay in
	Hole   Card     // our hidden card
	Up     []Card   // our open cards: one on street 1, two on street 2
	Others [][]Card // the open cards of each other player
}

// parseQuestion reads "bet1:stack:pot:to call:hole:up card:up:..." or its "bet2" sister with two up cards. It fails
// when our own part cannot be read. In the part about the players, cards that cannot be read are left out.
func parseQuestion(text string) (*Question, error) {
	fields := strings.Split(text, ":")
	q := &Question{Street: 2}
	if fields[0] == "bet1" {
		q.Street = 1
	}
	marker := 6
	for marker < len(fields) && fields[marker] != "up" {
		marker++
	}
	if marker >= len(fields) {
		return nil, errors.New("no list of open cards")
	}
	for i, chips := range []*int64{&q.Stack, &q.Pot, &q.ToCall} {
		value, err := strconv.ParseInt(fields[i+1], 10, 64)
		if err != nil || value < 0 {
			return nil, errors.New("a number of chips that is none")
		}
		*chips = value
	}
	own := cards(fields[4:marker])
	if len(own) != marker-4 {
		return nil, errors.New("a card of ours that is none")
	}
	q.Hole, q.Up = own[0], own[1:]
	for start := marker + 1; start < len(fields); start += q.Street {
		end := start + q.Street
		if end > len(fields) {
			end = len(fields)
		}
		if hand := cards(fields[start:end]); len(hand) > 0 && !contains(hand, q.Up[0]) {
			q.Others = append(q.Others, hand)
		}
	}
	return q, nil
}

// Fold gives up the round.
func (q *Question) Fold() Reply {
	return Reply{"fold"}
}

// Call adds just the chips to call, which may be 0; it folds if we cannot pay them.
func (q *Question) Call() Reply {
	return q.RaiseBy(0)
}

// RaiseBy adds the chips to call and up to this many chips more, as far as the rules and our stack allow.
func (q *Question) RaiseBy(chips int64) Reply {
	if q.Stack < q.ToCall {
		return q.Fold()
	}
	for _, most := range []int64{maxRaise, q.Stack - q.ToCall} {
		if chips > most {
			chips = most
		}
	}
	if chips < 0 {
		chips = 0
	}
	return Reply{fmt.Sprintf("bet:%d", q.ToCall+chips)}
}

// Unseen has all cards we cannot see: in the deck, or hole cards of others.
func (q *Question) Unseen() []Card {
	seen := append([]Card{q.Hole}, q.Up...)
	for _, hand := range q.Others {
		seen = append(seen, hand...)
	}
	var unseen []Card
	for rank := 2; rank <= 14; rank++ {
		for _, suit := range []byte("CDHS") {
			if card := (Card{rank, suit}); !contains(seen, card) {
				unseen = append(unseen, card)
			}
		}
	}
	return unseen
}

func contains(cards []Card, card Card) bool {
	for _, other := range cards {
		if other == card {
			return true
		}
	}
	return false
}

// cards are the cards among these fields. Those that cannot be read are left out.
func cards(fields []string) []Card {
	var cards []Card
	for _, field := range fields {
		if card, ok := parseCard(field); ok {
			cards = append(cards, card)
		}
	}
	return cards
}

// encode writes Java's modified UTF-8: U+0000 takes two bytes, a character above U+FFFF two surrogates of three.
func encode(text string) []byte {
	var bytes []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		switch {
		case unit >= 0x01 && unit <= 0x7F:
			bytes = append(bytes, byte(unit))
		case unit <= 0x7FF:
			bytes = append(bytes, 0xC0|byte(unit>>6), 0x80|byte(unit&0x3F))
		default:
			bytes = append(bytes, 0xE0|byte(unit>>12), 0x80|byte(unit>>6&0x3F), 0x80|byte(unit&0x3F))
		}
	}
	return bytes
}

var errNoText = errors.New("no modified UTF-8")

// decode is the reverse of encode. A surrogate without a partner becomes U+FFFD.
func decode(bytes []byte) (string, error) {
	var units []uint16
	for i := 0; i < len(bytes); {
		first, more := uint16(bytes[i]), 0
		switch {
		case first < 0x80:
		case first>>5 == 0b110:
			first, more = first&0x1F, 1
		case first>>4 == 0b1110:
			first, more = first&0x0F, 2
		default:
			return "", errNoText
		}
		for i++; more > 0; more-- {
			if i == len(bytes) || bytes[i]>>6 != 0b10 {
				return "", errNoText
			}
			first = first<<6 | uint16(bytes[i]&0x3F)
			i++
		}
		units = append(units, first)
	}
	return string(utf16.Decode(units)), nil
}

// dealer is the connection: frames of a two-byte length and that many bytes of text.
type dealer struct {
	connection net.Conn
	incoming   *bufio.Reader
	hasAsked   bool // whether it has asked for a bet
}

func (d *dealer) read() (string, error) {
	var length [2]byte
	if _, err := io.ReadFull(d.incoming, length[:]); err != nil {
		return "", err
	}
	bytes := make([]byte, binary.BigEndian.Uint16(length[:]))
	if _, err := io.ReadFull(d.incoming, bytes); err != nil {
		return "", err
	}
	return decode(bytes)
}

func (d *dealer) write(text string) {
	bytes := encode(text)
	frame := append([]byte{byte(len(bytes) >> 8), byte(len(bytes))}, bytes...)
	// If this fails the dealer has hung up, but why it did may still wait to be read: the next read will tell.
	_, _ = d.connection.Write(frame)
}

// answer is our reply to a question. A question or a strategy that fails costs the round, not the game.
func answer(strategy *Strategy, text string) (reply Reply) {
	question, err := parseQuestion(text)
	if err != nil {
		fmt.Fprintf(os.Stderr, "Cannot read this question, so I fold: %q\n", text)
		return Reply{"fold"}
	}
	defer func() {
		if failure := recover(); failure != nil {
			fmt.Fprintf(os.Stderr, "%v\n%sThe strategy failed, so I fold: %q\n", failure, debug.Stack(), text)
			reply = Reply{"fold"}
		}
	}()
	reply = strategy.Decide(question)
	if reply.text == "" {
		panic("Decide must return q.Fold(), q.Call() or q.RaiseBy(n)")
	}
	return reply
}

// tellStatus hands "status:win or lose:card:card:card" to the strategy. Dealers leave fields out at times.
func tellStatus(strategy *Strategy, text string) {
	defer func() {
		if failure := recover(); failure != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", failure, debug.Stack())
		}
	}()
	fields := strings.Split(text, ":")[1:]
	if len(fields) == 0 {
		fields = []string{""}
	}
	strategy.RoundOver(fields[0] == "win", cards(fields[1:]))
}

// play answers the dealer until it says "done", and returns its reason.
func play(d *dealer, name string, strategy *Strategy) (string, error) {
	for {
		text, err := d.read()
		if err != nil {
			return "", err
		}
		command, rest := text, ""
		if colon := strings.IndexByte(text, ':'); colon >= 0 {
			command, rest = text[:colon], text[colon+1:]
		}
		switch command {
		case "login":
			d.write(name)
		case "bet1", "bet2":
			d.hasAsked = true
			d.write(answer(strategy, text).text)
		case "status":
			tellStatus(strategy, text)
		case "done":
			return rest, nil
		} // a command we do not know is not for us
	}
}

// comeBack tries to connect: a dealer that died may be started again, and one that said "done" may begin another game.
// Of our patience so many seconds are used up; it returns also how many are then.
func comeBack(host, port string, waited int) (net.Conn, int) {
	complain("I try to come back for %d seconds. Ctrl-C ends that.", patience-waited)
	for waited < patience {
		pause := waited + 1
		if pause > longestPause {
			pause = longestPause
		}
		time.Sleep(time.Duration(pause) * time.Second)
		waited += pause
		if connection, err := net.Dial("tcp", net.JoinHostPort(host, port)); err == nil {
			complain("The dealer is back.")
			return connection, waited
		}
	}
	complain("The dealer did not come back.")
	return nil, waited
}

// loginName is "GitHubId:avatar", from the environment or from the top of strategy.go.
func loginName() (string, error) {
	id, avatar := fromEnvironment("CASINO_ID", GithubID), fromEnvironment("CASINO_AVATAR", Avatar)
	for _, part := range []string{id, avatar} {
		if part == "" || strings.Contains(part, ":") {
			return "", errors.New("the GitHubId and the avatar must not be empty and must not contain a colon")
		}
	}
	name := id + ":" + avatar
	if len(encode(name)) > longestFrame {
		return "", errors.New("it is too long")
	}
	return name, nil
}

func fromEnvironment(variable, otherwise string) string {
	if value := os.Getenv(variable); value != "" {
		return value
	}
	return otherwise
}

func complain(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
}

func run(arguments []string) int {
	// A program that was started for one game must end after it.
	once := os.Getenv("CASINO_ONCE") != ""
	again, key, isUsable := false, "", len(arguments) >= 2 && isPort(arguments[1])
	for at := 2; at < len(arguments); at++ {
		switch {
		case arguments[at] == "--again":
			again = true
		case arguments[at] == "--once":
			once = true
		case arguments[at] == "--key" && at+1 < len(arguments):
			at++
			key = "#" + arguments[at]
		default:
			isUsable = false
		}
	}
	if !isUsable {
		complain("usage: poker HOST PORT [--once] [--key KEY]")
		return 2
	}
	host, port := arguments[0], arguments[1]
	name, err := loginName()
	if err != nil {
		complain("Cannot use this name: %v.", err)
		return 2
	}
	connection, err := net.Dial("tcp", net.JoinHostPort(host, port))
	var unknown *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, windowsRefused):
		complain("Nobody answers at %s port %s. Is the dealer running there?", host, port)
		return 1
	case errors.As(err, &unknown):
		complain("There is no host called %s.", host)
		return 1
	case err != nil:
		complain("Cannot connect to %s port %s: %v.", host, port, err)
		return 1
	}
	fmt.Printf("Connected to %s port %s as %s\n", host, port, name)
	strategy, waited, code := &Strategy{}, 0, 0
	for connection != nil {
		code = 1
		d := &dealer{connection: connection, incoming: bufio.NewReader(connection)}
		reason, err := play(d, name+key, strategy)
		connection.Close()
		switch {
		case err == nil:
			fmt.Printf("done: %s\n", reason)
			if once && !again {
				return 0
			}
			code = 0
			strategy = &Strategy{}
		case errors.Is(err, errNoText):
			complain("The dealer sent a frame that is not modified UTF-8.")
			return 1
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET),
			errors.Is(err, windowsReset):
			complain("The dealer closed the connection without saying why.")
		default:
			complain("The connection to the dealer failed: %v.", err)
		}
		if d.hasAsked {
			waited = 0
		}
		connection, waited = comeBack(host, port, waited)
	}
	return code
}

func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

func main() {
	os.Exit(run(os.Args[1:]))
}
