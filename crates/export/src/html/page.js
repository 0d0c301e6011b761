
'use strict';
(() => {
  const find = (id) => document.getElementById(id);
  const number = (value) => value.toLocaleString('en');
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

  /// An element with a class and, as text, whatever it holds.
  const make = (tag, name, ...inside) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...inside);
    return element;
  };

  // The styles of the viewer are dark or light by an attribute.
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => { document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light'; };
  dark.addEventListener('change', paint);
  paint();

  const entries = [...document.querySelectorAll('script.entry')].map((block, index) => {
    const entry = JSON.parse(block.textContent);
    entry.index = index;
    // What an entry has follows it.
    let last = block;
    for (const name of ['picture', 'model']) if (entry[name]) entry[`${name}Block`] = last = last.nextElementSibling;
    return entry;
  });
  const totals = JSON.parse(find('summary').textContent);

  // What is searched in an entry: made when somebody searches.
  const words = (entry) => {
    entry.words ??= [entry.title, entry.source, entry.kind, ...entry.facts.flat(), ...(entry.rows?.columns ?? []),
      ...(entry.rows?.rows.flat() ?? [])].join('\n').toLowerCase();
    return entry.words;
  };

  // Pictures.

  const image = (entry) => {
    const img = make('img', entry.picture.pixelated ? 'sharp' : '');
    img.alt = '';
    img.draggable = false;
    img.decoding = 'async';
    img.src = `data:image/png;base64,${entry.pictureBlock.textContent}`;
    return img;
  };

  const stage = (entry) => {
    if (entry.picture) return make('div', 'picture', image(entry));
    if (entry.model) return thumbnail(entry);
    return make('div', 'picture none', excerpt(entry));
  };

  /// What the colors of a picture mean.
  const legend = (entry) => {
    const list = make('ul', 'legend');
    for (const [name, color] of entry.legend ?? []) {
      const swatch = make('i');
      swatch.style.background = color;
      list.append(make('li', '', swatch, name));
    }
    return list.childElementCount ? [list] : [];
  };

  /// What a card shows where there is no picture: the first cells, or the facts.
  const excerpt = (entry) => {
    const lines = entry.rows?.rows.length ? entry.rows.rows.map((row) => row.slice(0, 4)) : entry.facts;
    if (!lines.length) return make('p', '', entry.kind);
    const table = make('table');
    for (const line of lines.slice(0, 9)) {
      table.append(make('tr', '', ...line.map((cell) => make('td', '', cell.slice(0, 40)))));
    }
    return table;
  };

  // Models. The script that shows them is a module, which runs when everything else is there.

  const whole = new Promise((resolve) => { addEventListener('DOMContentLoaded', resolve, { once: true }); });

  const inflate = (block) => {
    const text = atob(block.textContent);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = text.charCodeAt(at);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
  };

  /// The pictures of models that were drawn last: as many as fit into about 60 MB.
  const drawn = new Map();
  const MOST_DRAWN = 128;

  /// The picture of a model, which is drawn soon if it is still there then. What cannot be drawn has facts in its place.
  const thumbnail = (entry) => {
    let canvas = drawn.get(entry);
    if (canvas) return make('div', 'picture', canvas);
    canvas = make('canvas');
    canvas.width = 384;
    canvas.height = 300;
    const frame = make('div', 'picture', canvas);
    const draw = async () => {
      await whole;
      if (!await globalThis.worldviewModel.drawThumbnail(canvas, () => inflate(entry.modelBlock))) return;
      drawn.set(entry, canvas);
      if (drawn.size > MOST_DRAWN) drawn.delete(drawn.keys().next().value);
    };
    draw().catch(() => {
      frame.classList.add('none');
      frame.replaceChildren(excerpt(entry));
    });
    return frame;
  };

  /// Shows the model of an entry, until `end` is called.
  const model = (entry) => {
    const view = make('div', 'view');
    let shown = null;
    let isEnded = false;
    const start = async () => {
      await whole;
      if (!globalThis.worldviewModel) throw new Error('The script that shows models did not run.');
      const glb = await inflate(entry.modelBlock);
      if (!isEnded) shown = globalThis.worldviewModel.showModel(view, glb);
    };
    start().catch(({ message }) => view.replaceChildren(make('p', 'notice', message)));
    const end = () => {
      isEnded = true;
      shown?.destroy();
    };
    return { elements: [view], end };
  };

  // The grid: only the cards near what is seen exist.

  const grid = find('grid');
  const cards = new Map();
  let shown = entries;
  let layout = { columns: 1, wide: 200, high: 200 };
  const GAP = 14;

  const measure = () => {
    const wide = grid.clientWidth;
    const least = wide < 560 ? 150 : 218;
    const columns = Math.max(1, Math.floor((wide + GAP) / (least + GAP)));
    const card = Math.floor((wide - GAP * (columns - 1)) / columns);
    layout = { columns, wide: card, high: Math.round(card * 0.78) + 62 };
    grid.style.height = `${Math.ceil(shown.length / columns) * (layout.high + GAP)}px`;
  };

  const place = (card, at) => {
    const { columns, wide, high } = layout;
    card.style.width = `${wide}px`;
    card.style.height = `${high}px`;
    card.style.transform = `translate(${(at % columns) * (wide + GAP)}px, ${Math.floor(at / columns) * (high + GAP)}px)`;
    card.dataset.at = at;
  };

  const build = (entry) => {
    const title = make('b', '', entry.title || '\u2014');
    const card = make('a', 'card', stage(entry), ...legend(entry), make('div', 'caption', title,
      make('span', '', make('i', '', entry.kind), ' \u00b7 ', entry.source)));
    card.href = `#${entry.index + 1}`;
    card.title = `${entry.title}\n${entry.source}`;
    return card;
  };

  const render = () => {
    const { columns, high } = layout;
    const top = grid.getBoundingClientRect().top;
    const row = high + GAP;
    const first = Math.max(0, Math.floor(-top / row) - 2) * columns;
    const last = Math.min(shown.length, (Math.ceil((window.innerHeight - top) / row) + 2) * columns);
    const wanted = new Map();
    for (let at = first; at < last; at += 1) wanted.set(shown[at], at);
    for (const [entry, card] of cards) {
      // What has the focus keeps it.
      const stays = card === document.activeElement && shown.includes(entry);
      if (wanted.has(entry) || stays) continue;
      card.remove();
      cards.delete(entry);
    }
    let before = null;
    for (const [entry, at] of wanted) {
      let card = cards.get(entry);
      if (!card) {
        card = build(entry);
        cards.set(entry, card);
      }
      place(card, at);
      // The order of the elements is that of the tab key.
      if (before ? before.nextSibling !== card : grid.firstChild !== card) {
        if (card !== document.activeElement) grid.insertBefore(card, before ? before.nextSibling : grid.firstChild);
      }
      before = card;
    }
  };

  let pending = 0;
  const soon = () => {
    pending ||= requestAnimationFrame(() => {
      pending = 0;
      render();
    });
  };
  addEventListener('scroll', soon, { passive: true });
  new ResizeObserver(() => {
    measure();
    soon();
  }).observe(grid);

  const focus = (at) => {
    if (at < 0 || at >= shown.length) return;
    const row = layout.high + GAP;
    const top = grid.getBoundingClientRect().top + Math.floor(at / layout.columns) * row;
    const bar = find('bar').offsetHeight;
    if (top < bar + GAP) scrollBy(0, top - bar - GAP);
    else if (top + row > innerHeight) scrollBy(0, top + row - innerHeight);
    render();
    cards.get(shown[at])?.focus({ preventScroll: true });
  };
  grid.addEventListener('keydown', (event) => {
    const at = Number(event.target.closest('.card')?.dataset.at);
    if (Number.isNaN(at) || event.ctrlKey || event.altKey || event.metaKey) return;
    const { columns } = layout;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, Home: 0,
      End: shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focus(to);
  });

  // What is shown, and in which order.

  const kinds = new Map();
  for (const { kind } of entries) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const chosen = new Set();
  const narrow = () => {
    const terms = find('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const by = find('sort').value;
    shown = entries.filter((entry) => (!chosen.size || chosen.has(entry.kind))
      && terms.every((term) => words(entry).includes(term)));
    if (by) shown.sort((a, b) => compare(a[by], b[by]) || a.index - b.index);
    const all = number(entries.length);
    find('count').textContent = shown.length === entries.length ? all : `${number(shown.length)} of ${all}`;
    find('nothing').hidden = shown.length > 0;
    measure();
    if (find('bar').getBoundingClientRect().top <= 0) scrollTo(0, find('top').offsetHeight);
    render();
  };
  if (kinds.size > 1) {
    for (const [kind, count] of kinds) {
      const button = make('button', '', make('b', '', kind), ' ', make('span', '', number(count)));
      button.type = 'button';
      button.setAttribute('aria-pressed', 'false');
      button.addEventListener('click', () => {
        if (!chosen.delete(kind)) chosen.add(kind);
        button.setAttribute('aria-pressed', chosen.has(kind));
        narrow();
      });
      find('kinds').append(button);
    }
  }
  let typing = 0;
  find('search').addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(narrow, 120);
  });
  find('sort').addEventListener('change', narrow);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|SELECT)$/.test(event.target.tagName) || detail.open) return;
    event.preventDefault();
    find('search').focus();
  });

  // One entry.

  const detail = find('detail');

  const table = ({ columns, rows, total }) => {
    const STEP = 200;
    const filter = make('input');
    filter.type = 'search';
    filter.placeholder = 'Filter rows';
    filter.setAttribute('aria-label', 'Filter rows');
    const told = make('output');
    const body = make('tbody');
    const more = make('button', 'more');
    more.type = 'button';
    let order = null;
    let limit = STEP;
    let found = rows;
    // Columns of nothing but numbers.
    const isNumber = /^[-+]?[\d.,]*(e[-+]?\d+)?$/i;
    const numeric = columns.map((_, i) => rows.some((row) => row[i]) && rows.every((row) => isNumber.test(row[i] ?? '')));
    const fill = () => {
      body.replaceChildren(...found.slice(0, limit).map((row) => make('tr', '',
        ...columns.map((_, i) => make('td', numeric[i] ? 'number' : '', row[i] ?? '')))));
      const rest = found.length - limit;
      more.hidden = rest <= 0;
      more.textContent = `Show ${number(Math.min(STEP, rest))} more`;
      const part = found.length < rows.length ? `${number(found.length)} of ` : '';
      told.textContent = total > rows.length
        ? `${part}the first ${number(rows.length)} of ${number(total)} rows`
        : `${part}${number(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;
    };
    const search = () => {
      const terms = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      found = rows.filter((row) => {
        const text = row.join('\n').toLowerCase();
        return terms.every((term) => text.includes(term));
      });
      if (order) found.sort((a, b) => order.way * compare(a[order.column] ?? '', b[order.column] ?? ''));
      limit = STEP;
      fill();
    };
    const heads = columns.map((name, column) => {
      const button = make('button', '', name);
      button.type = 'button';
      const head = make('th', numeric[column] ? 'number' : '', button);
      head.scope = 'col';
      button.addEventListener('click', () => {
        const way = order?.column === column && order.way > 0 ? -1 : 1;
        order = { column, way };
        for (const other of heads) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', way > 0 ? 'ascending' : 'descending');
        search();
      });
      return head;
    });
    filter.addEventListener('input', search);
    more.addEventListener('click', () => {
      limit += STEP;
      fill();
    });
    fill();
    return make('section', 'rows', make('div', 'tools', filter, told),
      make('div', 'scroll', make('table', '', make('thead', '', make('tr', '', ...heads)), body)), more);
  };

  let open = null;
  let leave = () => {};
  const button = (text, name, act) => {
    const element = make('button', '', text);
    element.type = 'button';
    element.title = name;
    element.setAttribute('aria-label', name);
    if (act) element.addEventListener('click', act);
    else element.disabled = true;
    return element;
  };

  const show = (entry) => {
    leave();
    open = entry;
    const at = shown.indexOf(entry);
    const step = (to) => shown[to] && (() => { location.replace(`#${shown[to].index + 1}`); });
    const title = make('h2', '', entry.title || '\u2014');
    title.id = 'detail-title';
    const facts = make('dl', 'facts');
    for (const [name, value] of [['file', entry.source], ...entry.facts]) facts.append(make('dt', '', name), make('dd', '', value));
    const links = make('ul', 'links');
    for (const [label, href] of entry.links) {
      const link = make('a', '', label);
      link.href = href;
      links.append(make('li', '', link));
    }
    const about = make('div', '', facts);
    if (entry.note) about.append(make('p', 'note', entry.note));
    if (entry.links.length) about.append(links);
    const isBeside = entry.picture && !entry.model;
    const sides = make('div', isBeside ? 'sides' : 'sides plain');
    if (isBeside) sides.append(make('div', '', stage(entry), ...legend(entry)));
    sides.append(about);
    const { elements, end } = entry.model ? model(entry) : { elements: [], end: () => {} };
    leave = end;
    const body = make('div', 'body', ...elements, sides);
    if (entry.rows) body.append(table(entry.rows));
    detail.replaceChildren(
      make('div', 'head', make('span', 'kind', entry.kind), title, button('\u2039', 'Previous', at > 0 ? step(at - 1) : null),
        button('\u203a', 'Next', step(at + 1)), button('\u2715', 'Close', () => detail.close())),
      body,
    );
    if (!detail.open) detail.showModal();
    detail.querySelector('.head button:last-child').focus({ preventScroll: true });
  };

  detail.addEventListener('close', () => {
    const entry = open;
    open = null;
    leave();
    detail.replaceChildren();
    history.replaceState(null, '', location.href.split('#')[0]);
    const at = shown.indexOf(entry);
    if (at >= 0) focus(at);
  });
  detail.addEventListener('click', (event) => {
    if (event.target === detail) detail.close();
  });
  detail.addEventListener('keydown', (event) => {
    const to = { PageUp: 'Previous', PageDown: 'Next' }[event.key];
    if (!to || event.target.closest('.scroll, .view')) return;
    event.preventDefault();
    detail.querySelector(`button[title="${to}"]`).click();
  });
  const follow = () => {
    const entry = entries[Number(/^#(\d{1,9})$/.exec(location.hash)?.[1]) - 1];
    if (entry) show(entry);
    else if (detail.open) detail.close();
  };
  addEventListener('hashchange', follow);

  for (const [name, value] of totals) find('totals').append(make('div', '', make('dt', '', name), make('dd', '', value)));
  find('top').hidden = false;
  find('bar').hidden = false;
  narrow();
  follow();
})();
