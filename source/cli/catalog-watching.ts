import type { Command } from '../shell/command.ts';
import { addressFields, changeFields, computerFields } from '../shell/json-fields.ts';
import {
	accountOptions,
	asciiOption,
	filterOption,
	jsonOption,
	readingOptions,
} from '../shell/options.ts';

/** What is, what happens and what happened. */
export const watchingCommands: readonly Command[] = [
	{
		name: 'list',
		summary: 'list the computers',
		options: [filterOption, asciiOption, ...readingOptions],
		examples: ['crowsnest list', "crowsnest list --filter 'status:active cpu:>80' --json"],
		json: { form: 'array', fields: computerFields },
		load: async () => (await import('./commands/list.ts')).list,
	},
	{
		name: 'show',
		summary: 'show all that is known of a computer',
		takes: 'ID',
		options: readingOptions,
		examples: ['crowsnest show atlas', 'crowsnest show atlas --json | jq -r .status'],
		json: { form: 'object', fields: computerFields },
		load: async () => (await import('./commands/show.ts')).show,
	},
	{
		name: 'open',
		summary: 'print the public address of a port',
		about: 'Ends with 1 when that port is not published.',
		takes: 'ID PORT',
		options: [
			{ name: 'share', help: 'the address that is shared with a token' },
			...readingOptions,
		],
		examples: ['crowsnest open atlas 8080', 'curl "$(crowsnest open atlas 8080)"'],
		json: { form: 'object', fields: addressFields },
		load: async () => (await import('./commands/open.ts')).open,
	},
	{
		name: 'watch',
		summary: 'tell what happens, a line a change, until it is interrupted',
		about:
			'Tells changes of status and stage, computers that appear and are removed, operations of other\n' +
			'runs on this host, top-ups, new versions, and when the platform cannot be read and can again.',
		options: [filterOption, ...accountOptions, jsonOption],
		examples: [
			'crowsnest watch | tee -a fleet.log',
			'crowsnest watch --json | jq -c \'select(.to == "error")\'',
		],
		json: { form: 'lines', fields: changeFields },
		load: async () => (await import('./commands/watch.ts')).watch,
	},
	{
		name: 'log',
		summary: 'show what happened, the newest first, as far as runs on this host kept it',
		options: [
			{ name: 'filter', value: 'WORDS', help: 'those with all these words, and no -WORD' },
			{ name: 'since', value: 'TIME', help: 'not older than that: 90s, 30m, 2h, 7d or 2w' },
			{ name: 'limit', value: 'N', help: 'how many at most (100)' },
			asciiOption,
			...accountOptions,
			jsonOption,
		],
		examples: [
			'crowsnest log --since 2h',
			"crowsnest log --filter 'atlas -asleep' --limit 20 --json",
		],
		json: { form: 'array', fields: changeFields },
		load: async () => (await import('./commands/log.ts')).log,
	},
];
