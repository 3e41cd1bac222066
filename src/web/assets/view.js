// Draws the day. Everything a player has a say in goes through textContent.

const SVG = "http://www.w3.org/2000/svg";

const SUITS = {
  S: { word: "spades", path: "M50 6C62 27 92 41 92 63c0 17-19 23-34 11 1 10 6 16 12 20H30c6-4 11-10 12-20C27 86 8 80 8 63 8 41 38 27 50 6Z" },
  H: { word: "hearts", path: "M50 94C34 75 6 60 6 34 6 17 19 8 31 8c10 0 16 6 19 14C53 14 59 8 69 8c12 0 25 9 25 26 0 26-28 41-44 60Z" },
  D: { word: "diamonds", path: "M50 4 86 50 50 96 14 50Z" },
  C: { word: "clubs", path: "M50 6a21 21 0 0 1 18 32 21 21 0 1 1-11 33c2 11 6 18 13 23H30c7-5 11-12 13-23a21 21 0 1 1-11-33A21 21 0 0 1 50 6Z" },
};

const RANKS = {
  2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten",
  J: "jack", Q: "queen", K: "king", A: "ace",
};

const NUMBERS = new Intl.NumberFormat("en");

const LIST = new Intl.ListFormat("en");

export const chips = (count) => NUMBERS.format(count);

/** An element with attributes and children; text is always text. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function cardWords(card) {
  return `${RANKS[card.slice(0, -1)]} of ${SUITS[card.slice(-1)].word}`;
}

/** A card: the rank large, the suit by shape, colour and letter. */
export function card(code) {
  const [rank, suit] = [code.slice(0, -1), code.slice(-1)];
  return svg(
    "svg",
    { viewBox: "0 0 64 88", class: `card suit-${suit}`, role: "img", "aria-label": cardWords(code) },
    svg("rect", { x: 1, y: 1, width: 62, height: 86, rx: 8, class: "paper" }),
    svg("text", { x: 32, y: 43, class: rank === "10" ? "rank ten" : "rank" }, rank),
    svg("path", { d: SUITS[suit].path, transform: "translate(27 48) scale(.34)" }),
    svg("text", { x: 15, y: 78, class: "letter" }, suit),
  );
}

/** A card face down. */
export function back() {
  return svg(
    "svg",
    { viewBox: "0 0 64 88", class: "card back", role: "img", "aria-label": "a card face down" },
    svg("rect", { x: 1, y: 1, width: 62, height: 86, rx: 8, class: "paper" }),
    svg("rect", { x: 8, y: 8, width: 48, height: 72, rx: 4, class: "pattern" }),
    svg("path", { d: "M32 20 46 44 32 68 18 44Z", class: "figure" }),
  );
}

/** How far one player's hue is from the next one's, in parts of the circle: far, and in the end all of them are used. */
function hueStep(all) {
  const divisor = (one, other) => (other === 0 ? one : divisor(other, one % other));
  let step = Math.max(1, Math.round(all * 0.38));
  while (divisor(step, all) > 1) step++;
  return step;
}

/** How a player's line is told from the others: a hue, and a dash for every third. */
export function mark(element, seat, seats) {
  const all = Math.max(seats, 1);
  element.style.setProperty("--hue", Math.round((360 * (((seat - 1) * hueStep(all)) % all)) / all));
  element.dataset.dash = String((seat - 1) % 3);
  return element;
}

const GRIDS = [[8, 3, 3], [10, 4, 3], [12, 5, 3], [14, 5, 4], [18, 6, 5]];

/** Where the seats stand: cells along the edge of a grid, spread evenly, clockwise from the top left. */
export function places(count) {
  if (count === 2) return { columns: 3, rows: 1, cells: [[1, 1], [3, 1]] };
  const [, columns, rows] = GRIDS.find(([room]) => room >= count);
  const edge = [];
  for (let x = 1; x <= columns; x++) edge.push([x, 1]);
  for (let y = 2; y < rows; y++) edge.push([columns, y]);
  for (let x = columns; x >= 1; x--) edge.push([x, rows]);
  for (let y = rows - 1; y > 1; y--) edge.push([1, y]);
  const cells = [];
  for (let index = 0; index < count; index++) cells.push(edge[Math.floor((index * edge.length) / count)]);
  return { columns, rows, cells };
}

const seatsDrawn = new WeakMap();

export function drawTable(root, table, programme, several = false) {
  root.hidden = !table;
  if (!table) return;
  let drawn = seatsDrawn.get(root);
  const numbers = `${table.table}: ${table.seats.map((seat) => seat.seat).join()}`;
  if (!drawn || drawn.numbers !== numbers) {
    const { columns, rows, cells } = places(table.seats.length);
    root.style.setProperty("--columns", columns);
    root.style.setProperty("--rows", rows);
    root.classList.toggle("duel", rows === 1);
    const list = el("ol", { class: "seats", "aria-label": "Players at the table" });
    const seats = new Map();
    table.seats.forEach((seat, index) => {
      const item = el("li", { class: "seat" });
      item.style.gridColumn = String(cells[index][0]);
      item.style.gridRow = String(cells[index][1]);
      seats.set(seat.seat, { item, last: "" });
      list.append(item);
    });
    const centre = el("div", { class: "centre" });
    centre.style.gridColumn = columns > 2 ? `2 / ${columns}` : "1";
    centre.style.gridRow = rows > 2 ? `2 / ${rows}` : "1";
    root.replaceChildren(list);
    list.append(el("li", { class: "centre-cell" }, centre));
    list.lastChild.style.gridColumn = centre.style.gridColumn;
    list.lastChild.style.gridRow = centre.style.gridRow;
    drawn = { numbers, seats, centre, last: "" };
    seatsDrawn.set(root, drawn);
  }
  for (const seat of table.seats) {
    const turn = table.turn === seat.seat;
    const key = JSON.stringify([seat, turn, table.opener, table.street, programme.players[seat.seat - 1]]);
    const kept = drawn.seats.get(seat.seat);
    if (kept.last !== key) {
      kept.last = key;
      drawSeat(kept.item, seat, turn, table, programme);
    }
  }
  const key = JSON.stringify([table.pot, table.street, table.result, table.round, table.finale, several]);
  if (drawn.last !== key) {
    drawn.last = key;
    drawCentre(drawn.centre, table, programme, several);
  }
}

function drawSeat(item, seat, turn, table, programme) {
  const name = programme.players[seat.seat - 1] ?? "";
  item.classList.toggle("turn", turn);
  item.classList.toggle("folded", !seat.live);
  item.classList.toggle("won", seat.won > 0);
  mark(item, seat.seat, programme.players.length);
  const cards = el("div", { class: "cards" }, seat.hole ? card(seat.hole) : back(), ...seat.up.map(card));
  // Only a card that has just been turned up moves.
  if (Number(item.dataset.cards) < seat.up.length) cards.lastChild.classList.add("fresh");
  item.dataset.cards = String(seat.up.length);
  const word = el("span", { class: "word" }, turn && !seat.word ? "to act" : seat.word);
  const line = el("div", { class: "line" }, el("span", { class: "stack" }, chips(seat.stack)), word);
  const side = el("div", { class: "side" });
  if (seat.won > 0) side.append(...seat.halves.map((half) => el("span", { class: "half" }, HALVES[half])));
  else {
    if (seat.bet > 0 && !table.result) side.append(el("span", { class: "bet" }, el("span", { class: "quiet" }, "bet "), chips(seat.bet)));
    if (table.opener === seat.seat && !table.result) side.append(el("span", { class: "opener", title: "opens the street" }, "opens"));
  }
  cards.append(side);
  item.replaceChildren(el("div", { class: "name", title: name }, ...shortened(name)), line, cards);
}

/** What a winner won, in a word. */
const HALVES = { whole: "pot", hand: "hand", spade: "♠ spade" };

/** A name whose end stays to be seen where there is no room for all of it: it often tells two apart. */
function shortened(name) {
  const letters = [...name];
  if (letters.length < 8) return [el("span", {}, name)];
  return [el("span", {}, letters.slice(0, -3).join("")), el("span", { class: "tail" }, letters.slice(-3).join(""))];
}

function drawCentre(centre, table, programme, several) {
  const children = [];
  if (table.finale) children.push(el("p", { class: "finale" }, "The last round"));
  children.push(el("p", { class: several ? "round several" : "round" }, several ? `Table ${table.table}, round ${chips(table.round)}` : `Round ${chips(table.round)}`, el("span", {}, table.street === 1 ? "first up cards" : "second up cards")));
  const result = table.result;
  if (!result) {
    children.push(
      el("p", { class: "pot" }, el("span", {}, "Pot"), el("strong", {}, chips(table.pot))),
      el("p", { class: "halves" }, `high spade in the hole ♠ ${chips(table.spade_half)} · best hand ${chips(table.pot - table.spade_half)}`),
    );
  } else {
    const hand = el("div", { class: "hand" }, ...result.hand.map(card));
    const winners = table.seats.filter((seat) => seat.won > 0);
    const said = winners.map((seat) => {
      const name = programme.players[seat.seat - 1] ?? "";
      const what = seat.halves.map((half) => ({ whole: "the pot", hand: "best hand", spade: "high spade ♠" })[half]);
      return el("p", { class: "winner" }, el("strong", {}, name), ` +${chips(seat.won)} `, el("span", {}, what.join(" and ")));
    });
    children.push(hand, el("p", { class: "words" }, result.words), ...said);
  }
  centre.replaceChildren(...children);
}

/** A button whose click is answered, and which is made only once. */
function tableButton(root, table, choose) {
  const item = el("li");
  const button = el("button", { type: "button" });
  button.addEventListener("click", () => choose(table.table));
  item.append(button);
  root.append(item);
  return button;
}

/** The tables in short: where the round is, who is in, and all stacks as bars. */
export function drawTables(root, hall, programme, chosen, choose) {
  const numbers = hall.tables.map((table) => table.table).join();
  if (root.dataset.numbers !== numbers) {
    root.dataset.numbers = numbers;
    root.replaceChildren();
    hall.tables.forEach((table) => tableButton(root, table, choose));
    const rows = hall.tables.length <= 7 ? 1 : hall.tables.length <= 20 ? 2 : 3;
    root.style.setProperty("--columns", Math.ceil(hall.tables.length / rows));
  }
  const most = Math.max(1, ...hall.tables.flatMap((table) => table.chips));
  hall.tables.forEach((table, index) => {
    const button = root.children[index].firstChild;
    button.className = hall.featured === table.table ? "featured" : "";
    button.setAttribute("aria-pressed", String(chosen === table.table));
    const width = 100 / table.players.length;
    const bars = svg("svg", { viewBox: "0 0 100 20", preserveAspectRatio: "none", "aria-hidden": "true", class: "bars" });
    table.players.forEach((player, seat) => {
      const height = (20 * table.chips[seat]) / most;
      bars.append(mark(svg("rect", { x: seat * width + 0.5, y: 20 - height, width: width - 1, height }), player, programme.players.length));
    });
    const state = table.done ? "has played its level" : table.round > 0 ? `round ${chips(table.round)}` : "begins";
    button.replaceChildren(
      el("strong", {}, `Table ${table.table}`),
      el("span", {}, `${table.playing} in`),
      el("span", {}, state),
      bars,
    );
  });
}

/** All tables with their players and stacks, or one of them large. */
export function drawOverview(root, hall, programme, chosen, choose) {
  const shown = hall.tables.filter((table) => chosen === null || table.table === chosen);
  const key = JSON.stringify([shown, chosen, hall.featured]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.table : undefined;
  root.className = chosen === null ? "many" : "one";
  const down = shown.length <= 3 ? 1 : shown.length <= 8 ? 2 : shown.length <= 15 ? 3 : 4;
  root.style.setProperty("--across", Math.ceil(shown.length / down));
  const parts = shown.map((table) => {
    const order = table.players.map((player, seat) => [player, table.chips[seat]]).sort((a, b) => b[1] - a[1]);
    const heading = el("button", { type: "button", "data-table": table.table, "aria-pressed": String(chosen !== null) },
      chosen === null ? `Table ${table.table} · ${table.playing} in` : `Table ${table.table} · ${table.playing} of ${table.players.length} in · round ${chips(table.round)}`);
    heading.addEventListener("click", () => choose(table.table));
    const rows = order.map(([player, stack]) => mark(
      el("li", { class: stack === 0 ? "out" : "" },
        el("span", { class: "name", title: programme.players[player - 1] ?? "" }, programme.players[player - 1] ?? ""),
        el("span", { class: "stack" }, chips(stack))),
      player, programme.players.length,
    ));
    const last = chosen !== null && table.last ? [el("p", { class: "last" }, table.last)] : [];
    return el("article", { class: hall.featured === table.table ? "featured" : "" }, el("h3", {}, heading), el("ol", {}, ...rows), ...last);
  });
  parts.forEach((part, index) => part.style.setProperty("--rows", shown[index].players.length));
  root.replaceChildren(...parts);
  if (focused) root.querySelector(`[data-table="${focused}"]`)?.focus();
}

/** More rows than this have to be scrolled to. */
const ROWS = 17;

export function drawBoard(body, board, programme) {
  const most = Math.max(1, ...board.rows.map((row) => row.chips));
  const rows = board.rows.map((row) => {
    const out = row.left_in_round !== null;
    const name = programme.players[row.seat - 1] ?? "";
    const line = el("tr", { class: out ? "out" : "" });
    mark(line, row.seat, programme.players.length);
    line.style.setProperty("--share", `${(100 * row.chips) / most}%`);
    const swatch = svg("svg", { viewBox: "0 0 24 10", class: "swatch", "aria-hidden": "true" }, svg("line", { x1: 0, y1: 5, x2: 24, y2: 5 }));
    const cell = el("td", { class: "who", title: out ? `${name}: ${row.why}` : name }, swatch, el("span", {}, name));
    const right = row.points !== undefined ? el("td", { class: "chips" }, chips(row.points)) : out ? el("td", { class: "chips" }, el("span", { class: "left" }, `out in ${chips(row.left_in_round)}`)) : el("td", { class: "chips" }, chips(row.chips));
    line.append(el("td", { class: "place" }, String(row.place)), cell, right);
    return line;
  });
  body.replaceChildren(...rows);
  body.parentElement.style.setProperty("--count", Math.min(Math.max(rows.length, 8), ROWS));
  // What has to be scrolled must be reached by the keyboard.
  if (rows.length > ROWS) body.setAttribute("tabindex", "0");
  else body.removeAttribute("tabindex");
}

/** At most this many points of a line are drawn: more than a screen shows. */
const POINTS = 240;

export function drawRace(root, race, programme, board) {
  const points = race.points;
  const last = points.at(-1);
  if (!last) return root.replaceChildren();
  const [width, height, right] = [1000, 240, 0];
  const most = points.reduce((high, point) => Math.max(high, ...point.stacks), 1);
  const end = Math.max(1, last.round);
  const every = Math.ceil(points.length / POINTS);
  const drawn = points.filter((_, index) => index % every === 0 || index === points.length - 1);
  const x = (round) => ((width - right) * round) / end;
  const y = (stack) => height - 6 - ((height - 12) * stack) / most;
  const order = board.rows.slice(0, ROWS).map((row) => row.seat);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": raceWords(last, programme, order) });
  for (const share of [0.25, 0.5, 0.75, 1]) {
    picture.append(svg("line", { x1: 0, x2: width, y1: y(most * share), y2: y(most * share), class: "rule" }));
  }
  for (const seat of [...order].reverse()) {
    const out = board.rows.find((row) => row.seat === seat)?.left_in_round;
    const own = drawn.filter((point) => !out || point.round <= out);
    const line = svg("polyline", { points: own.map((point) => `${x(point.round).toFixed(1)},${y(point.stacks[seat - 1]).toFixed(1)}`).join(" ") });
    line.classList.toggle("ahead", order.indexOf(seat) < 3);
    picture.append(mark(line, seat, programme.players.length));
  }
  const scale = el("p", { class: "scale" }, el("span", {}, `up to ${chips(most)} chips`), el("span", {}, `round ${chips(last.round)}`));
  root.replaceChildren(picture, scale);
}

function raceWords(point, programme, order) {
  const leaders = order.slice(0, 3).map((seat) => `${programme.players[seat - 1]} ${chips(point.stacks[seat - 1])}`);
  return `Line chart of all stacks up to round ${point.round}. In front: ${leaders.join(", ")}.`;
}

const KINDS = { round: "●", exit: "✕", foul: "!", day: "◆" };

export function newsItem(news) {
  return el("p", { class: `news-${news.kind in KINDS ? news.kind : "day"}` }, el("span", { "aria-hidden": "true" }, KINDS[news.kind] ?? "◆"), " ", news.text);
}

export function drawLobby(root, lobby) {
  const missing = Math.max(0, lobby.wanted - lobby.guests.length);
  const others = Math.max(0, missing - lobby.awaited.length);
  const unnamed = others > 0 ? [`${others} more ${others === 1 ? "player" : "players"}`] : [];
  const awaited = lobby.awaited.length <= 4 ? lobby.awaited : [...lobby.awaited.slice(0, 3), `${lobby.awaited.length - 3} others`];
  const waiting = missing === 0 ? "Everybody is in." : `Waiting for ${LIST.format([...awaited, ...unnamed])} …`;
  const guests = lobby.guests.map((guest) => {
    const light = guest.connected ? "connected" : "starts with the game";
    return el(
      "li",
      { class: guest.connected ? "on" : "off" },
      el("span", { class: "light", "aria-hidden": "true" }),
      el("span", { class: "name", title: guest.name }, guest.name),
      el("span", { class: "kind" }, guest.house ? "of the house" : light),
    );
  });
  const absent = lobby.awaited.map((name) => el(
    "li",
    { class: "off" },
    el("span", { class: "light", "aria-hidden": "true" }),
    el("span", { class: "name", title: name }, name),
    el("span", { class: "kind" }, "not here yet"),
  ));
  guests.push(...absent);
  root.replaceChildren(el("p", { class: "waiting" }, waiting), el("ul", { "aria-label": "Players who are in, and who is awaited" }, ...guests));
}

export function drawPodium(root, podium, programme) {
  const step = (row) =>
    el(
      "li",
      { class: `step step-${row.place}` },
      el("span", { class: "name", title: programme.players[row.seat - 1] ?? "" }, programme.players[row.seat - 1] ?? ""),
      el("span", { class: "sum" }, row.left_in_round === null ? `${chips(row.chips)} chips` : `until round ${chips(row.left_in_round)}`),
      el("span", { class: "block", "aria-label": `place ${row.place}` }, String(row.place)),
    );
  const first = podium.slice(0, 3).map(step);
  root.replaceChildren(el("h2", {}, "The winners"), el("ol", { class: "steps", "aria-label": "The winners" }, ...first));
}
