import type { Command } from '../shell/command.ts';
import { accountOptions, demoOptions, readOnlyOption, screenOptions } from '../shell/options.ts';

/** What happens now, for later. */
export const recordingCommands: readonly Command[] = [
	{
		name: 'record',
		summary: 'the monitor, and everything that it comes to know in a file',
		about:
			'What is recorded are facts: what was read, what was asked for, and how that ended. No password,\n' +
			'no token and no address that lets somebody in is among them. Without a terminal it shows\n' +
			'nothing and records until it is interrupted.',
		takes: 'FILE',
		options: [
			{ name: 'for', value: 'TIME', help: 'for so long: 90s, 10m, 8h (until it is left)' },
			{
				name: 'replace-names',
				help: 'computers, people, accounts and addresses under other names, for a file to be shown around',
			},
			{ name: 'force', help: 'in the place of a file that is there' },
			...accountOptions,
			readOnlyOption,
			...screenOptions,
			{ name: 'demo', help: 'watch the embedded demo platform, whatever is configured' },
			...demoOptions,
		],
		examples: [
			'crowsnest record incident.jsonl',
			'crowsnest record night.jsonl --for 8h --replace-names < /dev/null',
		],
		load: async () => (await import('./commands/record.ts')).record,
	},
	{
		name: 'replay',
		summary: 'show in the monitor what was recorded',
		about:
			'Space pauses, ] and [ change the speed, the arrows go a minute on and back, and ? tells the rest.\n' +
			'It talks to no platform. Into a pipe it prints a line a change.',
		takes: 'FILE',
		options: [
			{ name: 'from', value: 'TIME', help: "where to begin: 08:14, '2026-11-21 08:14', or 90m on" },
			{ name: 'speed', value: 'N', help: 'how many times faster its time goes (1)' },
			{ name: 'paused', help: 'begin with a pause' },
			...screenOptions.filter(({ name }) => name !== 'screen-reader'),
		],
		examples: [
			'crowsnest replay incident.jsonl --from 08:14 --speed 16',
			'crowsnest replay night.jsonl | grep error',
		],
		load: async () => (await import('./commands/replay.ts')).replay,
	},
];
