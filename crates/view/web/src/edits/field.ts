/// Edits a value where it stands.
import type { Change } from '../edits.ts';
import { el, placeUnder, uniqueId } from '../shell/dom.ts';
import type { Context } from '../view.ts';
import { checkField } from './check.ts';
import { valueText } from './value.ts';

type EditContext = Pick<Context, 'about' | 'edits' | 'signal' | 'announce'>;

/** How an edit ended, and where the user wants to go next. */
export type Outcome = { saved: boolean; next?: 'down' | 'right' | 'left' };

interface Field {
  path: string;
  /** The value in the file, as it is displayed. */
  value: string;
  /** The name of the field for screen readers; by default the last segment of the path. */
  label?: string;
  /** Called when the input is gone. */
  done?: (outcome: Outcome) => void;
}

/**
 * Turns the value in `host` into an input. Enter checks the value and adds it to the changes; Escape gives up. Afterwards
 * `host` shows the value, and the change if there is one.
 */
export const editField = (context: EditContext, host: HTMLElement, field: Field): void => {
  if (host.classList.contains('editing')) return;
  const { at } = context.about.node;
  const before = [...host.childNodes];
  const old = context.edits.get(at, field.path);
  const initial = old ? valueText(old.to) : field.value;
  const message = el('div', { class: 'edit-error floating', role: 'alert', id: uniqueId('edit'), popover: 'manual' });
  const attributes = { class: 'edit-input', 'aria-label': `New value of ${field.label ?? field.path}`, 'aria-describedby': message.id,
    autocomplete: 'off', spellcheck: 'false' };
  const several = initial.includes('\n');
  const input = several ? el('textarea', { ...attributes, rows: 3 }) : el('input', { ...attributes, type: 'text' });
  input.value = initial;
  let state: 'open' | 'checking' | 'closed' = 'open';

  const close = (outcome: Outcome): void => {
    if (state === 'closed') return;
    state = 'closed';
    removeEventListener('scroll', place, true);
    host.classList.remove('editing');
    host.replaceChildren(...before);
    const change = context.edits.get(at, field.path);
    if (change) host.replaceChildren(changedValue(change));
    else if (old) host.replaceChildren(field.value);
    field.done?.(outcome);
  };
  const place = (): void => placeUnder(message, input);
  const refuse = (sentence: string): void => {
    state = 'open';
    input.readOnly = false;
    input.setAttribute('aria-invalid', 'true');
    message.textContent = sentence;
    message.showPopover();
    place();
    input.focus();
  };
  const save = async (next?: 'down' | 'right' | 'left'): Promise<void> => {
    if (state !== 'open') return;
    const outcome = (saved: boolean): Outcome => ({ saved, ...(next ? { next } : {}) });
    if (input.value === initial) return close(outcome(false));
    state = 'checking';
    input.readOnly = true;
    let answer: Awaited<ReturnType<typeof checkField>>;
    try {
      answer = input.value === field.value && old
        ? { change: { ...old, to: old.from }, notes: [] }
        : await checkField(at, field.path, input.value, context.signal);
    } catch (error) {
      if (context.signal.aborted) return;
      answer = (error as Error).message;
    }
    if (state !== 'checking') return;
    if (typeof answer === 'string') return refuse(answer);
    const { change, notes } = answer;
    context.edits.set(change);
    context.announce(context.edits.get(at, field.path)
      ? [`Changed from “${valueText(change.from)}” to “${valueText(change.to)}”.`, ...notes].join(' ')
      : 'The value is that of the file again.');
    close(outcome(true));
  };

  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    const { key, shiftKey } = event as KeyboardEvent;
    if (key === 'Escape') close({ saved: false });
    else if (key === 'Enter' && (!several || (event as KeyboardEvent).ctrlKey)) void save('down');
    else if (key === 'Tab') void save(shiftKey ? 'left' : 'right');
    else return;
    event.preventDefault();
  });
  // A click elsewhere saves what can be saved; a value that cannot stays open, with its message.
  input.addEventListener('blur', () => {
    if (state === 'open' && !message.textContent) void save();
  });
  // The message is above everything, so that what scrolls does not cut it off, and follows the input.
  addEventListener('scroll', place, { capture: true, passive: true });
  host.classList.add('editing');
  host.replaceChildren(input, message);
  input.focus();
  input.select();
};

/** Shows a change: the value in the file, struck out, and the new one. */
export const changedValue = (change: Change): HTMLElement =>
  el('span', { class: 'changed-value', title: `In the file: ${valueText(change.from)}` }, el('ins', {}, valueText(change.to)), ' ',
    el('del', {}, el('span', { class: 'visually-hidden' }, 'instead of '), valueText(change.from)));
