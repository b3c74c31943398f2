import type { Command, Option } from './command.ts';

const demoOptions: readonly Option[] = [
	{ name: 'computers', value: 'N', help: 'how many computers the demo fleet has (24)' },
	{ name: 'seed', value: 'N', help: 'another seed makes another fleet (1)' },
	{ name: 'speed', value: 'N', help: 'how many times faster its time goes (1)' },
	{ name: 'plan', value: 'PLAN', help: 'free, pro, power or ultra (pro)' },
	{ name: 'shapes', value: 'LIST', help: 'how it answers, such as list=wrapped,case=camel' },
	{ name: 'faults', value: 'LIST', help: 'what goes wrong, such as status:503:0.1,list:hang' },
];

/** THE table of subcommands. The first one is what runs when none is named. */
export const commands: readonly Command[] = [
	{
		name: 'monitor',
		summary: 'watch the fleet and operate it (what runs when no command is named)',
		options: [
			{ name: 'demo', help: 'watch the embedded demo platform, whatever is configured' },
			...demoOptions,
		],
		examples: ['crowsnest', 'crowsnest --demo --computers 1000'],
		load: async () => (await import('./monitor.tsx')).monitor,
	},
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
];
