/// The view of a table: a grid of all records, the details of one, and a plot.
import { json, type Table } from '../api.ts';
import { failure, isAbort, loading } from '../shell/failure.ts';
import type { Mount } from '../view.ts';
import { TableView } from './tableview.ts';

export const mountTable: Mount = (host, context) => {
  let view: TableView | undefined;
  let { place } = context;
  const open = async (): Promise<void> => {
    host.replaceChildren(loading());
    try {
      const table = await json<Table>('table', { at: context.about.node.at }, context.signal);
      if (!context.signal.aborted) view = new TableView(host, context, table, place);
    } catch (error) {
      if (!isAbort(error)) host.replaceChildren(failure(error, () => void open()));
    }
  };
  void open();
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
