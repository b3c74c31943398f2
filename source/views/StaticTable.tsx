import { type CellProps, Table } from 'ink-table';
import { Line } from './Line.tsx';

//  PLAN    SLEEPS WHEN IDLE FOR
//  Free    15 min
//  Pro     30 min                 yours

/**
 * Draws a small table without borders. ink-table measures texts in code units, so it gets complete rows, which are
 * already padded to their width on the screen.
 */
export function StaticTable({ lines }: { lines: readonly string[] }) {
	return (
		<Table
			data={lines.map(line => ({ line }))}
			columns={['line']}
			header={Nothing}
			cell={TableLine}
			skeleton={Nothing}
		/>
	);
}

function TableLine({ children }: CellProps) {
	return <Line text={String(children).trimEnd()} />;
}

function Nothing() {
	return null;
}
