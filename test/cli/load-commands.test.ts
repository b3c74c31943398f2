import { expect, test } from 'vitest';
import { commands } from '../../source/cli/catalog.ts';
import { loadCommands } from '../../source/cli/load-commands.ts';

const namesFor = async (line: string) => {
	const words = line.split(' ').filter(word => word !== '');
	return (await loadCommands(words)).map(({ name }) => name);
};

test.each(['', '--profile work', '--all-profiles --read-only'])(
	'only the monitor is loaded for `crowsnest %s`',
	async line => {
		expect(await namesFor(line)).toEqual(['monitor']);
	},
);

test.each([
	'list',
	'--profile work list',
	'monitor',
	'--help',
	'-V',
	'--version',
	'--mood',
	'lits',
	'--profile',
])('all commands are loaded for `crowsnest %s`', async line => {
	expect(await namesFor(line)).toEqual(commands.map(({ name }) => name));
});
