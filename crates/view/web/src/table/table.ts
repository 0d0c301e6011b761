/// The view of a table: a grid of all records, the details of one, and a plot.
import { json, type Table } from '../api.ts';
import { attempt } from '../shell/failure.ts';
import type { Mount } from '../view.ts';
import { TableView } from './tableview.ts';

export const mountTable: Mount = (host, context) => {
  let view: TableView | undefined;
  let { place } = context;
  void attempt(host, async () => {
    const table = await json<Table>('table', { at: context.about.node.at }, context.signal);
    if (!context.signal.aborted) view = new TableView(host, context, table, place);
  });
  return {
    select: (next) => {
      place = next;
      view?.select(next);
    },
    destroy: () => {
      view?.destroy();
      host.replaceChildren();
    },
  };
};
