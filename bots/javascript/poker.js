#!/usr/bin/env node
'use strict';

/**
 * The wire: connects to the dealer, reads its commands and writes the replies.
 *
 * Nothing here needs editing. How to play is in strategy.js.
 */

const net = require('node:net');
const { GITHUB_ID, AVATAR, Strategy } = require('./strategy.js');

const MAX_RAISE = 10;
const LONGEST_FRAME = 0xffff;
/** The seconds in which we try to come back after a game, or when the connection is lost. */
const PATIENCE = 600;
/** The seconds between two tries grow up to this. */
const LONGEST_PAUSE = 15;
const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];

/** All 52 cards by their names, as in "10S" or "AD". The jack's rank is 11, the ace's 14. */
const DECK = new Map(
  RANKS.flatMap((name, i) => [...'CDHS'].map((suit) => [name + suit, Object.freeze({ rank: i + 2, suit })]))
);

/** A legal answer to one question. Only a question makes them. */
class Reply {
  constructor(text) {
    this.text = text;
  }
}

/**
 * One "bet1" or "bet2" from the dealer, and the legal answers to it.
 *
 * street: 1 or 2; stack: chips we have left; pot: chips in the middle; toCall: chips we still have to add to stay
 * in; hole: our hidden card; up: our open cards, one on street 1, two on street 2; others: the open cards of each
 * other player. A card has a rank from 2 to 14 and a suit, one of C, D, H and S.
 */
class Question {
  /**
   * Reads "bet1:stack:pot:to call:hole:up card:up:..." or its "bet2" sister with two up cards.
   *
   * Throws when our own part cannot be read. In the part about the players, cards that cannot be read are left
   * out.
   */
  constructor(text) {
    const fields = text.split(':');
    this.street = fields[0] === 'bet1' ? 1 : 2;
    const marker = fields.indexOf('up', 6);
    if (marker < 0) {
      throw new Error('no list of open cards');
    }
    [this.stack, this.pot, this.toCall] = fields.slice(1, 4).map(chips);
    const own = fields.slice(4, marker).map((field) => DECK.get(field));
    if (own.includes(undefined)) {
      throw new Error('a card of ours that is none');
    }
    [this.hole, ...this.up] = own;
    this.others = [];
    for (let start = marker + 1; start < fields.length; start += this.street) {
      const hand = cards(fields.slice(start, start + this.street));
      if (hand.length > 0 && !hand.includes(this.up[0])) {
        this.others.push(hand);
      }
    }
    Object.freeze(this);
  }

  /** Give up the round. */
  fold() {
    return new Reply('fold');
  }

  /** Add just the chips to call, which may be 0; fold if we cannot pay them. */
  call() {
    return this.raiseBy(0);
  }

  /** Add the chips to call and up to this many chips more, as far as the rules and our stack allow. */
  raiseBy(more) {
    if (this.stack < this.toCall) {
      return this.fold();
    }
    const extra = Math.max(0, Math.min(Math.trunc(more) || 0, MAX_RAISE, this.stack - this.toCall));
    return new Reply(`bet:${this.toCall + extra}`);
  }

  /** All cards we cannot see: in the deck, or hole cards of others. */
  unseen() {
    const seen = new Set([this.hole, ...this.up, ...this.others.flat()]);
    return [...DECK.values()].filter((card) => !seen.has(card));
  }
}

function chips(field) {
  if (!/^[0-9]{1,15}$/.test(field)) {
    throw new Error('a number of chips that is none');
  }
  return Number(field);
}

/** The cards among these fields, without unreadable ones. */
function cards(fields) {
  return fields.map((field) => DECK.get(field)).filter((card) => card !== undefined);
}

/** Java's modified UTF-8: U+0000 takes two bytes, a character above U+FFFF two surrogates of three. */
function encode(text) {
  const bytes = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x01 && unit <= 0x7f) {
      bytes.push(unit);
    } else if (unit <= 0x7ff) {
      bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    } else {
      bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    }
  }
  return Buffer.from(bytes);
}

/** The reverse of encode. Surrogates without a partner stay as they are. */
function decode(bytes) {
  const units = [];
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i++];
    const continuation = () => {
      const byte = bytes[i++];
      if (byte === undefined || byte >> 6 !== 0b10) {
        throw new Error('not modified UTF-8');
      }
      return byte & 0x3f;
    };
    if (first < 0x80) {
      units.push(first);
    } else if (first >> 5 === 0b110) {
      units.push(((first & 0x1f) << 6) | continuation());
    } else if (first >> 4 === 0b1110) {
      units.push(((first & 0x0f) << 12) | (continuation() << 6) | continuation());
    } else {
      throw new Error('not modified UTF-8');
    }
  }
  return units.map((unit) => String.fromCharCode(unit)).join('');
}

/** Our reply to a question. A question or a strategy that fails costs the round, not the game. */
function answer(strategy, text) {
  let question;
  try {
    question = new Question(text);
  } catch {
    console.error(`Cannot read this question, so I fold: ${text}`);
    return 'fold';
  }
  try {
    const reply = strategy.decide(question);
    if (!(reply instanceof Reply)) {
      throw new TypeError('decide must return question.fold(), .call() or .raiseBy(n)');
    }
    return reply.text;
  } catch (error) {
    console.error(error);
    console.error(`The strategy failed, so I fold: ${text}`);
    return 'fold';
  }
}

/** Hands "status:win or lose:card:card:card" to the strategy. Dealers leave fields out at times. */
function tellStatus(strategy, text) {
  const [, outcome, ...hand] = text.split(':');
  try {
    strategy.roundOver(outcome === 'win', cards(hand));
  } catch (error) {
    console.error(error);
  }
}

/** "GitHubId:avatar", from the environment or from the top of strategy.js. */
function loginName() {
  const parts = [process.env.CASINO_ID || GITHUB_ID, process.env.CASINO_AVATAR || AVATAR];
  if (parts.some((part) => !part || part.includes(':'))) {
    throw new Error('the GitHubId and the avatar must not be empty and must not contain a colon');
  }
  const name = parts.join(':');
  if (encode(name).length > LONGEST_FRAME) {
    throw new Error('it is too long');
  }
  return name;
}

/**
 * Plays until the dealer says done, and sets the exit code. Where the connection is lost without that, it tries to
 * connect: a dealer that died may be started again. With `again` it comes back after done too, because the dealer may
 * begin another game. `waited` is how much of our patience is used up.
 */
function play(place, strategy = new Strategy(), waited = 0, isBack = false) {
  const { host, port, name, again, key } = place;
  const socket = net.connect({ host, port });
  socket.setNoDelay(true);
  let received = Buffer.alloc(0);
  let connected = false;
  let over = false;

  const end = (code, report, text) => {
    if (!over) {
      over = true;
      process.exitCode = code;
      report(text);
      socket.destroy();
    }
  };
  const comeBack = () => {
    if (over) {
      return;
    }
    over = true;
    socket.destroy();
    if (waited >= PATIENCE) {
      console.error('The dealer did not come back.');
      return;
    }
    const pause = Math.min(waited + 1, LONGEST_PAUSE);
    setTimeout(() => play(place, strategy, waited + pause, true), 1000 * pause);
  };
  const hope = () => {
    console.error(`I try to come back for ${PATIENCE - waited} seconds. Ctrl-C ends that.`);
    comeBack();
  };
  const lost = () => {
    if (!over) {
      console.error('The dealer closed the connection without saying why.');
      process.exitCode = 1;
      hope();
    }
  };
  const write = (text) => {
    const bytes = encode(text);
    const length = Buffer.from([bytes.length >> 8, bytes.length & 0xff]);
    // One write: two would wait for each other on the way. If it fails, the dealer has hung up; why may still come.
    socket.write(Buffer.concat([length, bytes]), () => {});
  };
  const obey = (text) => {
    const colon = text.indexOf(':');
    const command = colon < 0 ? text : text.slice(0, colon);
    if (command === 'login') {
      write(name + key);
    } else if (command === 'bet1' || command === 'bet2') {
      waited = 0;
      write(answer(strategy, text));
    } else if (command === 'status') {
      tellStatus(strategy, text);
    } else if (command === 'done') {
      const done = `done: ${colon < 0 ? '' : text.slice(colon + 1)}`;
      if (!again) {
        end(0, console.log, done);
        return;
      }
      console.log(done);
      process.exitCode = 0;
      strategy = new Strategy();
      hope();
    } // a command we do not know is not for us
  };

  socket.on('connect', () => {
    connected = true;
    if (isBack) {
      console.error('The dealer is back.');
    } else {
      console.log(`Connected to ${host} port ${port} as ${name}`);
    }
  });
  socket.on('data', (data) => {
    // A frame may come in pieces, and several at once.
    received = Buffer.concat([received, data]);
    while (!over && received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const length = received.readUInt16BE(0);
      const frame = received.subarray(2, 2 + length);
      received = received.subarray(2 + length);
      let text;
      try {
        text = decode(frame);
      } catch {
        end(1, console.error, 'The dealer sent a frame that is not modified UTF-8.');
        return;
      }
      obey(text);
    }
  });
  socket.on('end', lost);
  socket.on('error', (error) => {
    if (connected) {
      lost();
    } else if (isBack) {
      comeBack();
    } else if (error.code === 'ECONNREFUSED') {
      end(1, console.error, `Nobody answers at ${host} port ${port}. Is the dealer running there?`);
    } else if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
      end(1, console.error, `There is no host called ${host}.`);
    } else {
      end(1, console.error, `Cannot connect to ${host} port ${port}: ${error.message}.`);
    }
  });
}

function main([host, port, ...more]) {
  // A program that was started for one game must end after it.
  const once = more.includes('--once') || process.env.CASINO_ONCE;
  const again = more.includes('--again') || !once;
  const rest = more.filter((word) => word !== '--again' && word !== '--once');
  const key = rest.length === 2 && rest[0] === '--key' ? rest[1] : '';
  const isPort = /^[0-9]{1,5}$/.test(port || '') && Number(port) >= 1 && Number(port) <= 65535;
  if (!isPort || (rest.length > 0 && !key)) {
    console.error('usage: node poker.js HOST PORT [--once] [--key KEY]');
    process.exitCode = 2;
    return;
  }
  let name;
  try {
    name = loginName();
  } catch (error) {
    console.error(`Cannot use this name: ${error.message}.`);
    process.exitCode = 2;
    return;
  }
  play({ host, port: Number(port), name, again, key: key && `#${key}` });
}

// A closed output is no reason to stop playing.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
main(process.argv.slice(2));
