import { expect, test } from 'vitest';
import { openMonitor } from '../driver/monitor.ts';

async function openWithTwins() {
	const monitor = await openMonitor();
	const twin = monitor.simulator.world.add({ name: 'atlas' }).id;
	await monitor.pass(10_000);
	await monitor.see('8 computers');
	return { monitor, twin, first: monitor.simulator.world.computers()[0]?.id ?? '' };
}

test('a question about a computer whose name another one has too says so, and shows and copies the id', async () => {
	const { monitor } = await openWithTwins();
	await monitor.goTo('atlas');
	await monitor.press('x');
	await monitor.see(/Stop atlas \(sb_\w+\)\?/);
	await monitor.see(/Another computer is called atlas, too\. This is sb_\w+\./);
	await monitor.press('c');
	expect(monitor.effects.copied.at(-1)).toMatch(/^crowsnest stop sb_\w+ --yes$/);
	await monitor.press('n', 'a', 'x');
	await monitor.see(/atlas \(sb_\w+\), atlas \(sb_\w+\)/);
});

test('the palette tells computers of the same name apart by their ids', async () => {
	const { monitor, twin } = await openWithTwins();
	await monitor.press(':', 'stop atlas');
	await monitor.see(`${twin} · active`);
	expect(monitor.text().match(/Stop atlas +sb_\w+ · active/g)).toHaveLength(2);
});

test('the table tells computers of the same name apart by the ends of their ids', async () => {
	const { monitor, twin, first } = await openWithTwins();
	await monitor.see(`atlas …${twin.slice(-4)}`);
	await monitor.see(`atlas …${first.slice(-4)}`);
	await monitor.seeNo('borealis …');
});
