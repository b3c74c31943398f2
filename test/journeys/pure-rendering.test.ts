import { expect, test, vi } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

const second = 1_000;

/** Collects the stack of each call that is made while React renders a component. */
function renderingCalls<T extends object, Name extends keyof T & string>(object: T, name: Name) {
	const calls: string[] = [];
	const original = object[name];
	if (typeof original !== 'function') throw new Error(`${name} is not a function`);
	vi.spyOn(object, name as never).mockImplementation(((...args: unknown[]) => {
		const { stackTraceLimit } = Error;
		Error.stackTraceLimit = 200;
		const { stack = '' } = new Error(name);
		Error.stackTraceLimit = stackTraceLimit;
		if (stack.includes('renderWithHooks')) calls.push(stack);
		return Reflect.apply(original, object, args);
	}) as never);
	return calls;
}

test('drawing a batch reads neither the clock nor the ledger', async () => {
	let calls = { waiting: [''], clocks: [''], budgets: [''] };
	const monitor = await openMonitor({
		computers: 40,
		beforeFirstRequest({ clock, session }) {
			calls = {
				waiting: renderingCalls(session.operations, 'waitReasonsAt'),
				clocks: renderingCalls(clock, 'now'),
				budgets: renderingCalls(session.pace, 'budgets'),
			};
		},
	});
	await monitor.pass(3 * second, second);
	await monitor.press('a', 'r');
	const [, count = ''] = /Restart (\d+) computers/.exec(monitor.text()) ?? [];
	await monitor.answer(`restart ${count}`, 'enter');
	await monitor.see('Restarting');
	await monitor.pass(5 * second, second);
	await monitor.press('j', '5', '1');
	expect(calls.waiting.length).toBeGreaterThan(3);
	expect(calls.clocks).toEqual([]);
	expect(calls.budgets).toEqual([]);
});
