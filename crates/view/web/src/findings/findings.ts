/// What `check` finds, as it is found; every finding leads to its place.
import { lines, type Finding } from '../api.ts';
import { el, later, perFrame, put, uniqueId } from '../shell/dom.ts';
import { failure, isAbort } from '../shell/failure.ts';
import { icon } from '../shell/icons.ts';
import { stepOf } from '../shell/keys.ts';
import { placeAddress } from '../shell/router.ts';
import { Rows, rowOf } from '../shell/rows.ts';
import { counted, formatCount, formatOffset, namesOf } from '../shell/text.ts';
import type { Context, Mount, Place, View } from '../view.ts';

interface Done {
  done: true;
  files: number;
  findings: number;
  /** How many more there are, which were not sent. */
  more: number;
}

/** From the worst on. */
const severities = ['fatal', 'suspicious', 'curious'];
const badges: Record<string, string> = { fatal: 'danger', suspicious: 'warning', curious: 'info' };
const rowHeight = 52;
const headHeight = 34;

/** All findings of one code, as the command groups them. */
interface Group {
  key: string;
  findings: Finding[];
}

type Line = Finding | Group;

export const mountFindings: Mount = (host, context) => new FindingsView(host, context);

class FindingsView implements View {
  readonly #context: Context;
  readonly #id = uniqueId('finding');
  readonly #status = el('span', { class: 'dim findings-status', role: 'status' });
  readonly #problem = el('div', {});
  readonly #severity = el('div', { class: 'segmented', role: 'group', 'aria-label': 'Severity' });
  readonly #code = el('select', { class: 'select', 'aria-label': 'Code' });
  readonly #scroll: HTMLElement;
  readonly #rows: Rows;
  readonly #draw = perFrame(() => this.#update());
  #request = new AbortController();
  #all: Finding[] = [];
  #lines: Line[] = [];
  /** The groups that the user closed. */
  readonly #closed = new Set<string>();
  #wanted = { severity: '', code: '', text: '' };
  #active = 0;
  #isDone = false;

  constructor(host: HTMLElement, context: Context) {
    this.#context = context;
    const text = el('input', {
      class: 'input',
      type: 'search',
      placeholder: 'Filter messages',
      'aria-label': 'Filter messages and names',
      spellcheck: 'false',
    });
    text.addEventListener('input', later(150, () => {
      this.#wanted.text = text.value.trim().toLowerCase();
      this.#filter();
    }));
    this.#code.addEventListener('change', () => {
      this.#wanted.code = this.#code.value;
      this.#filter();
    });
    this.#scroll = el('div', { class: 'findings', role: 'tree', tabindex: 0, 'aria-label': 'Findings' });
    put(host, el('div', { class: 'toolbar' }, this.#severity, this.#code, text, el('span', { class: 'grow' }), this.#status), this.#problem,
      this.#scroll);
    host.classList.add('column');
    context.signal.addEventListener('abort', () => host.classList.remove('column'));
    this.#rows = new Rows(this.#scroll, {
      height: (index) => (this.#lines[index] && 'findings' in this.#lines[index] ? headHeight : rowHeight),
      role: 'treeitem',
      id: this.#id,
      draw: (index, row) => this.#drawRow(index, row),
    });
    this.#scroll.addEventListener('keydown', (event) => this.#key(event));
    this.#scroll.addEventListener('click', (event) => this.#click(event));
    void this.#ask();
  }

  destroy(): void {
    this.#request.abort();
    this.#rows.destroy();
  }

  async #ask(): Promise<void> {
    const request = (this.#request = new AbortController());
    const signal = AbortSignal.any([request.signal, this.#context.signal]);
    this.#all = [];
    this.#isDone = false;
    this.#problem.replaceChildren();
    this.#say('Checking…', true);
    this.#draw();
    try {
      const done = await lines<Finding, Done>('findings', { at: this.#context.about.node.at }, (finding) => {
        this.#all.push(finding);
        this.#draw();
      }, signal);
      this.#isDone = true;
      const more = done.more ? `, and ${formatCount(done.more)} more that are not listed` : '';
      this.#say(`${counted(done.findings, 'finding')}; ${counted(done.files, 'file')} checked${more}`);
    } catch (error) {
      if (isAbort(error)) return;
      this.#say('');
      this.#problem.replaceChildren(failure(error, () => void this.#ask()));
    }
    this.#draw();
  }

  #say(text: string, busy = false): void {
    this.#status.replaceChildren();
    put(this.#status, busy && el('span', { class: 'spinner small', 'aria-hidden': 'true' }), text);
  }

  #matches(finding: Finding): boolean {
    const { severity, code, text } = this.#wanted;
    return (!severity || finding.severity === severity) && (!code || finding.code === code) &&
      (!text || `${finding.message}\n${finding.path}\n${namesOf(finding.at).join('/')}`.toLowerCase().includes(text));
  }

  /** Groups what matches by severity, the worst first, and code. */
  #group(): void {
    const groups = new Map<string, Group>();
    for (const finding of this.#all.filter((finding) => this.#matches(finding))) {
      const key = `${severities.indexOf(finding.severity)} ${finding.code}`;
      const group = groups.get(key) ?? { key, findings: [] };
      groups.set(key, group);
      group.findings.push(finding);
    }
    const sorted = [...groups.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    this.#lines = sorted.flatMap((group) => [group, ...(this.#closed.has(group.key) ? [] : group.findings)]);
  }

  #filter(): void {
    this.#active = 0;
    this.#scroll.scrollTop = 0;
    this.#draw();
  }

  #update(): void {
    this.#drawSeverities();
    this.#drawCodes();
    this.#group();
    this.#rows.update(this.#lines.length);
    // A tree without items is not one.
    if (this.#lines.length) this.#scroll.setAttribute('role', 'tree');
    else this.#scroll.removeAttribute('role');
    this.#scroll.querySelector('.empty')?.remove();
    if (!this.#lines.length && this.#isDone) {
      this.#scroll.append(
        el('div', { class: 'empty' }, this.#all.length ? 'No finding matches.' : el('p', {}, icon('check'), ' Nothing is wrong here.')),
      );
    }
    if (this.#rows.element(this.#active)) this.#scroll.setAttribute('aria-activedescendant', `${this.#id}-${this.#active}`);
    else this.#scroll.removeAttribute('aria-activedescendant');
  }

  #drawSeverities(): void {
    const counts = countBy(this.#all, (finding) => finding.severity);
    const button = (severity: string, count: number): HTMLElement =>
      el('button', {
        type: 'button',
        'aria-pressed': String(this.#wanted.severity === severity),
        onclick: () => {
          this.#wanted.severity = severity;
          this.#filter();
        },
      }, severity || 'All', ' ', el('span', { class: 'dim numeric' }, formatCount(count)));
    const known = severities.filter((severity) => counts.has(severity));
    const others = [...counts.keys()].filter((severity) => !severities.includes(severity));
    const wanted = ['', ...known, ...others];
    const focused = [...this.#severity.children].indexOf(document.activeElement as Element);
    this.#severity.replaceChildren(...wanted.map((severity) => button(severity, severity ? counts.get(severity)! : this.#all.length)));
    if (focused >= 0) (this.#severity.children[focused] as HTMLElement | undefined)?.focus();
  }

  #drawCodes(): void {
    const counts = countBy(this.#all, (finding) => finding.code);
    const options = [...counts].sort(([a], [b]) => a.localeCompare(b));
    const known = options.map(([code, count]) => `${code} (${formatCount(count)})`);
    const texts = ['All codes', ...known];
    // An open list is left alone if nothing changed.
    if (texts.join('\n') === [...this.#code.options].map((option) => option.text).join('\n')) return;
    this.#code.replaceChildren(el('option', { value: '' }, 'All codes'),
      ...options.map(([code], index) => el('option', { value: code }, known[index])));
    this.#code.value = this.#wanted.code;
  }

  #drawRow(index: number, row: HTMLElement): void {
    const finding = this.#lines[index];
    row.replaceChildren();
    row.className = 'row finding';
    row.removeAttribute('aria-expanded');
    if (!finding) return;
    row.classList.toggle('active', index === this.#active);
    row.setAttribute('aria-selected', String(index === this.#active));
    row.setAttribute('aria-level', 'findings' in finding ? '1' : '2');
    if ('findings' in finding) {
      this.#drawHead(finding, row);
      return;
    }
    const names = namesOf(finding.at);
    const own = namesOf(this.#context.about.node.at);
    const inside = names.slice(finding.at === this.#context.about.node.at ? names.length - 1 : own.length);
    const message = withoutColumns(finding);
    put(row,
      el('span', { class: 'finding-text' }, el('span', { class: 'name', title: message }, message),
        el('span', { class: 'dim path' }, [inside.join(' / '), finding.path].filter(Boolean).join(' · '))),
      el('span', { class: 'dim mono offset' }, `${formatOffset(finding.offset)}${finding.space === 'image' ? ' unpacked' : ''}`));
  }

  #drawHead({ key, findings }: Group, row: HTMLElement): void {
    const [{ severity, code }] = findings as [Finding];
    const isOpen = !this.#closed.has(key);
    const files = new Set(findings.map(({ at }) => at)).size;
    row.className = 'row finding-group';
    row.classList.toggle('active', row.getAttribute('aria-selected') === 'true');
    row.setAttribute('aria-expanded', String(isOpen));
    put(row, icon(isOpen ? 'down' : 'right'), el('span', { class: `badge ${badges[severity] ?? ''}` }, severity),
      el('span', { class: 'code' }, code),
      el('span', { class: 'dim numeric' }, `${formatCount(findings.length)}${files > 1 ? ` in ${counted(files, 'file')}` : ''}`));
  }

  /** Goes to the place of a finding, or opens and closes a group. */
  #choose(line: Line): void {
    if (!('findings' in line)) {
      this.#context.go(this.#place(line));
      return;
    }
    if (!this.#closed.delete(line.key)) this.#closed.add(line.key);
    this.#draw();
  }

  #place(finding: Finding): Place {
    return {
      at: finding.at,
      path: finding.path,
      view: 'fields',
      more: { offset: String(finding.offset), ...(finding.space === 'image' ? { space: 'image' } : {}) },
    };
  }

  #click(event: MouseEvent): void {
    const line = this.#lines[rowOf(event) ?? -1];
    if (!line) return;
    if (!('findings' in line) && (event.ctrlKey || event.metaKey)) open(placeAddress(this.#place(line)), '_blank');
    else this.#choose(line);
  }

  #key(event: KeyboardEvent): void {
    const step = stepOf(event, this.#active, this.#lines.length, this.#rows.page);
    const line = this.#lines[this.#active];
    if (step !== undefined) {
      this.#active = step;
      this.#rows.reveal(this.#active);
      this.#update();
    } else if (event.key === 'Enter' && line) {
      this.#choose(line);
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** The message of a finding, as the command prints it, without what has columns of its own here. */
const withoutColumns = ({ severity, code, message }: Finding): string =>
  message.replace(`${severity} [${code}] `, '').replace(/ at offset \d+ \(0x[0-9a-f]+\) of the (file|unpacked image): /, ': ');

const countBy = (findings: Finding[], key: (finding: Finding) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(key(finding), (counts.get(key(finding)) ?? 0) + 1);
  return counts;
};
