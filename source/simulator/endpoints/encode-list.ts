import type { Computer } from '../world/computer.ts';
import { computerRecord, minimalRecord } from './encode-computer.ts';
import { type AnswerContext, type EndpointAnswer, inEnvelope } from './endpoint.ts';

/** Returns the list answer in the configured shape, or undefined if a service of that shape answers 404. */
export function listAnswer(
	context: AnswerContext,
	cursor: string | undefined,
): EndpointAnswer | undefined {
	const { world, shapes } = context;
	const deletedComputers = shapes.deleted === 'archived' ? world.deletedComputers() : [];
	const computers = [...world.computers(), ...deletedComputers];
	const recordsOf = (listedComputers: readonly Computer[]) =>
		listedComputers.map(computer => computerRecord(context, computer, shapes.listRecord));
	switch (shapes.list) {
		case 'bare':
		case 'data':
		case 'wrapped':
			return { status: 200, json: inEnvelope(recordsOf(computers), shapes.list) };
		case 'minimal':
			return { status: 200, json: { data: computers.map(each => minimalRecord(context, each)) } };
		case 'sandboxes':
			return { status: 200, json: { sandboxes: recordsOf(computers) } };
		case 'items': {
			const { pageComputers, nextCursor } = pageOf(computers, Number(shapes.pageSize), cursor);
			return { status: 200, json: { items: recordsOf(pageComputers), next_cursor: nextCursor } };
		}
		case 'single': {
			const [only] = recordsOf(computers.slice(0, 1));
			return only && { status: 200, json: inEnvelope(only, shapes.detail) };
		}
	}
}

/**
 * Returns a page of the list and the cursor of the next page. The cursor holds the number of the last computer on a
 * page. So if a computer is created or deleted between two pages, no other computer is repeated or left out.
 */
function pageOf(computers: readonly Computer[], pageSize: number, cursor: string | undefined) {
	const lastNumber = cursor === undefined ? -1 : numberFromCursor(cursor);
	const remainingComputers = computers
		.toSorted((first, second) => first.number - second.number)
		.filter(({ number }) => number > lastNumber);
	const pageComputers = remainingComputers.slice(0, pageSize);
	const lastComputer = pageComputers.at(-1);
	const nextCursor =
		lastComputer && remainingComputers.length > pageSize ? cursorFrom(lastComputer.number) : null;
	return { pageComputers, nextCursor };
}

const cursorFrom = (number: number) => Buffer.from(`after:${number}`).toString('base64url');

/** Returns whether a client's cursor has the form of a cursor of this simulator. */
export const isCursor = (cursor: string) => Number.isInteger(numberFromCursor(cursor));

const numberFromCursor = (cursor: string) =>
	Number(
		Buffer.from(cursor, 'base64url')
			.toString()
			.match(/^after:(\d+)$/)?.[1] ?? Number.NaN,
	);
