import type { OperationId } from '../fleet/fact.ts';
import { operations } from '../operations/operations.ts';
import type { Command, Option } from './command.ts';
import { demoOptions, screenOptions } from './monitor-options.ts';

const accountOptions: readonly Option[] = [
	{ name: 'profile', value: 'NAME', help: 'which account of the configuration' },
];

const filterOption: Option = {
	name: 'filter',
	value: 'TERMS',
	help: "those that match, as in the monitor: 'status:active name:test-'",
};

const jsonOption: Option = { name: 'json', help: 'for other programs' };

const operationOptions: readonly Option[] = [
	...accountOptions,
	{ name: 'yes', help: 'answer its question with yes' },
	{ name: 'wait', help: 'until it is done, and not only taken on' },
	{
		name: 'timeout',
		value: 'SECONDS',
		help: 'how long to wait at most; what is not sent then is not',
	},
	{ name: 'read-only', help: 'refuse whatever would change anything' },
	jsonOption,
];

/** A row for what a person can ask for, from the table of that. */
function operationCommand(
	id: OperationId,
	options: readonly Option[],
	examples: readonly string[],
): Command {
	const isForSome = id !== 'create';
	return {
		name: id,
		summary: operations[id].help,
		...(isForSome && { takes: 'ID…' }),
		options: [...options, ...(isForSome ? [filterOption] : []), ...operationOptions],
		examples: examples.map(example => `crowsnest ${id} ${example}`),
		load: async () => (await import('./operate.ts')).operate(id),
	};
}

const portOption: Option = { name: 'port', value: 'PORT', help: 'which port, from 1 to 65535' };

/** THE table of subcommands. The first one is what runs when none is named. */
export const commands: readonly Command[] = [
	{
		name: 'monitor',
		summary: 'watch the fleet and operate it (what runs when no command is named)',
		options: [
			...accountOptions,
			{ name: 'read-only', help: 'refuse whatever would change anything' },
			...screenOptions,
			{ name: 'demo', help: 'watch the embedded demo platform, whatever is configured' },
			...demoOptions,
		],
		examples: ['crowsnest', 'crowsnest --demo --computers 1000'],
		load: async () => (await import('./monitor.tsx')).monitor,
	},
	{
		name: 'list',
		summary: 'list the computers',
		options: [...accountOptions, filterOption, jsonOption],
		examples: ['crowsnest list', "crowsnest list --filter 'status:active cpu:>80' --json"],
		load: async () => (await import('./list.ts')).list,
	},
	{
		name: 'show',
		summary: 'show all that is known of a computer',
		takes: 'ID',
		options: [...accountOptions, jsonOption],
		examples: ['crowsnest show atlas'],
		load: async () => (await import('./show.ts')).show,
	},
	operationCommand('start', [], ['atlas', 'atlas borealis --yes --wait']),
	operationCommand('stop', [], ['atlas', "--filter 'status:active name:test-' --yes"]),
	operationCommand('restart', [], ['atlas --yes --wait --timeout 120']),
	operationCommand('update', [], ["--filter 'version:<1.4' --yes"]),
	operationCommand('publish', [portOption], ['atlas --port 8080']),
	operationCommand('unpublish', [portOption], ['atlas --port 8080 --yes']),
	operationCommand(
		'create',
		[
			{ name: 'name', value: 'NAME', help: 'what it is called' },
			{ name: 'provider', value: 'PROVIDER', help: 'who runs it (opensandbox)' },
		],
		['--name atlas', '--yes --wait --json'],
	),
	operationCommand('delete', [], ['atlas']),
	{
		name: 'simulate',
		summary: 'run the demo platform by itself, for other programs to talk to',
		options: [
			{ name: 'port', value: 'PORT', help: 'where it listens (any free one)' },
			...demoOptions,
		],
		examples: [
			'crowsnest simulate --port 8787 --computers 100',
			"crowsnest simulate --faults 'status:503:0.1' --shapes list=sandboxes",
		],
		load: async () => (await import('./simulate.ts')).simulate,
	},
	{
		name: 'login',
		summary: 'try an account, and keep it as a profile',
		options: [
			...accountOptions,
			{ name: 'url', value: 'URL', help: 'where the platform answers; ends in /v1' },
			{ name: 'auth-url', value: 'URL', help: 'where the identity provider answers' },
			{ name: 'email', value: 'EMAIL', help: 'who signs in' },
			{ name: 'password-stdin', help: 'read the password from a pipe' },
		],
		examples: [
			'crowsnest login',
			'pass show fleet | crowsnest login --profile work --password-stdin',
		],
		load: async () => (await import('./login.ts')).login,
	},
	{
		name: 'logout',
		summary: 'forget the token that is kept for a profile',
		options: accountOptions,
		examples: ['crowsnest logout --profile work'],
		load: async () => (await import('./logout.ts')).logout,
	},
	{
		name: 'profiles',
		summary: 'list the accounts that are configured',
		options: [...accountOptions, { name: 'json', help: 'for other programs' }],
		examples: ['crowsnest profiles'],
		load: async () => (await import('./profiles.ts')).profiles,
	},
	{
		name: 'config',
		summary: 'check the configuration',
		options: [
			...accountOptions,
			{ name: 'example', help: 'show every setting, explained' },
			{ name: 'path', help: 'show where the configuration is' },
		],
		examples: ['crowsnest config', 'crowsnest config --example'],
		load: async () => (await import('./config.ts')).config,
	},
	{
		name: 'doctor',
		summary: 'check everything that a run needs, and say what to do',
		options: [...accountOptions, { name: 'json', help: 'for other programs' }],
		examples: ['crowsnest doctor', 'crowsnest doctor --json'],
		load: async () => (await import('./doctor.ts')).doctor,
	},
];
