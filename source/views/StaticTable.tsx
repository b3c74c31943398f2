import { type CellProps, Table } from 'ink-table';
import { createContext, type PropsWithChildren, useContext } from 'react';
import type { TableBlock } from '../drawing/section.ts';
import { fitted, painted } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import { Line } from './Line.tsx';

//  PLAN    SLEEPS WHEN IDLE FOR
//  Free    15 min
//  Pro     30 min                 yours

type Props = {
	table: TableBlock;
	/** False when the titles are scrolled out of view. */
	hasTitles: boolean;
	theme: Theme;
};

// ink-table renders our components itself, so a context passes them the props.
const TableContext = createContext<Props | undefined>(undefined);

/**
 * Draws a small table without lines between its cells. ink-table measures texts in code units, so each text
 * is fitted to its column here, in cells of the screen.
 */
export function StaticTable(props: Props) {
	const { columns, rows } = props.table;
	const data = rows.map(row =>
		Object.fromEntries(columns.map(({ title }, at) => [title, row[at] ?? ''])),
	);
	return (
		<TableContext value={props}>
			<Table
				data={data}
				columns={columns.map(({ title }) => title)}
				header={Title}
				cell={Cell}
				skeleton={EmptySkeleton}
			/>
		</TableContext>
	);
}

function Title({ children }: PropsWithChildren) {
	const look = useContext(TableContext);
	const title = String(children).trim();
	const column = look?.table.columns.find(other => other.title === title);
	if (!look?.hasTitles || !column) return null;
	const spans = fitted([[title, 'faint']], column.width, look.theme, column.align);
	return <Line text={` ${painted(spans, look.theme)} `} />;
}

function Cell({ children, column: at }: CellProps) {
	const look = useContext(TableContext);
	const column = look?.table.columns[at];
	if (!look || !column) return null;
	const text = String(children).trim();
	const { width, align, draw } = column;
	const { theme } = look;
	const cell = draw
		? draw(text, width, theme)
		: painted(fitted([[text]], width, theme, align), theme);
	return <Line text={` ${cell} `} />;
}

function EmptySkeleton() {
	return null;
}
