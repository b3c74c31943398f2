import { expect, test } from 'vitest';
import { computerRecord } from '../../source/script/json-records.ts';
import { createListPrinter } from '../../source/script/list-printer.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';

const profile = { account: 'work', name: 'work', shortName: 'work', isReadOnly: false };
const publicAddress = (id: string, port: number) => `https://example.com/${id}/${port}`;

/** Prints a fleet of this size as JSON, and returns the text and its records. */
function printed(count: number) {
	const account = accountAfter(
		listRead(
			now,
			Array.from({ length: count }, (_, at) => ({
				id: `sb_${at}`,
				name: `two\nlines, "quoted" ${at}`,
				status: 'active',
				ports: at % 2 === 0 ? [] : [{ port: 8080 }],
			})),
		),
	);
	const fleet = {
		...{ name: 'work', shortName: 'work', isOneOfSeveral: false },
		session: { profile, platform: { publicAddress } },
	} as Parameters<typeof createListPrinter>[0][number];
	const texts: string[] = [];
	const output = {
		write: (more: string) => void texts.push(more),
		stderr: { write: () => true },
		...{ hasUnicode: true, width: Number.POSITIVE_INFINITY, now: () => now },
	};
	const look = { isJson: true } as Parameters<typeof createListPrinter>[1];
	const printer = createListPrinter([fleet], look, output);
	const computers = [...account.computers.values()];
	printer.print([{ fleet, result: { account, computers } }]);
	printer.end();
	const { listFields } = account;
	const records = computers.map(computer => computerRecord(computer, publicAddress, listFields));
	return { text: texts.join(''), records };
}

test.each([0, 1, 200])(
	'a list of %i computers as JSON is one array with an indent of two blanks',
	count => {
		const { text, records } = printed(count);
		expect(text).toBe(`${JSON.stringify(records, undefined, 2)}\n`);
	},
);
