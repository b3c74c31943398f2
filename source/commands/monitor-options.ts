import type { Option } from './command.ts';

/** How the monitor shows itself. */
export const screenOptions: readonly Option[] = [
	{ name: 'low-bandwidth', help: 'ages to the minute, and one frame a second but for keys' },
];

/** What the demo platform is like. */
export const demoOptions: readonly Option[] = [
	{ name: 'computers', value: 'N', help: 'how many computers the demo fleet has (24)' },
	{ name: 'seed', value: 'N', help: 'another seed makes another fleet (1)' },
	{ name: 'speed', value: 'N', help: 'how many times faster its time goes (1)' },
	{ name: 'plan', value: 'PLAN', help: 'free, pro, power or ultra (pro)' },
	{ name: 'shapes', value: 'LIST', help: 'how it answers, such as list=wrapped,case=camel' },
	{ name: 'faults', value: 'LIST', help: 'what goes wrong, such as status:503:0.1,list:hang' },
];
