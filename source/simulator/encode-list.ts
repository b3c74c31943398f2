import type { Answer } from './answer.ts';
import type { Computer } from './computer.ts';
import { recordOf } from './encode-computer.ts';
import { wrapped } from './encode-style.ts';
import type { AnswerContext } from './endpoint.ts';

/** Returns the list in the configured shape, or undefined where a service of that shape answers 404. */
export function listAnswer(view: AnswerContext, cursor: string | undefined): Answer | undefined {
	const { world, shapes } = view;
	const kept = shapes.deleted === 'archived' ? world.archived() : [];
	const computers = [...world.computers(), ...kept];
	const records = (some: readonly Computer[]) =>
		some.map(each => recordOf(view, each, shapes.listRecord));
	switch (shapes.list) {
		case 'bare':
		case 'data':
		case 'wrapped':
			return { status: 200, json: wrapped(records(computers), shapes.list) };
		case 'sandboxes':
			return { status: 200, json: { sandboxes: records(computers) } };
		case 'items': {
			const { some, next } = pageOf(computers, Number(shapes.pageSize), cursor);
			return { status: 200, json: { items: records(some), next_cursor: next } };
		}
		case 'single': {
			const [only] = records(computers.slice(0, 1));
			return only && { status: 200, json: wrapped(only, shapes.detail) };
		}
	}
}

/**
 * A cursor holds the number of the last computer on a page. So if a computer appears or disappears between
 * two pages, no other computer is repeated or left out.
 */
function pageOf(computers: readonly Computer[], size: number, cursor: string | undefined) {
	const last = cursor === undefined ? -1 : numberFrom(cursor);
	const left = computers
		.toSorted((one, other) => one.number - other.number)
		.filter(({ number }) => number > last);
	const some = left.slice(0, size);
	const end = some.at(-1);
	const next = end && left.length > size ? cursorFrom(end.number) : null;
	return { some, next };
}

const cursorFrom = (number: number) => Buffer.from(`after:${number}`).toString('base64url');

/** Whether the text has the form of this simulator's cursors. */
export const isCursor = (cursor: string) => Number.isInteger(numberFrom(cursor));

const numberFrom = (cursor: string) =>
	Number(
		Buffer.from(cursor, 'base64url')
			.toString()
			.match(/^after:(\d+)$/)?.[1] ?? Number.NaN,
	);
