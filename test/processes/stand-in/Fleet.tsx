import { Box, Text, useWindowSize } from 'ink';
import { memo, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { TerminalInput } from '../../../source/terminal/process/streams.ts';
import type { Terminal } from '../../../source/terminal/terminal.ts';

export type Computer = { name: string; isCreating: boolean; version: string; uptime: string };

const sgr = (codes: string, text: string) => `\u001B[${codes}m${text}\u001B[0m`;
const spinner = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

export function exampleFleet(count: number): Computer[] {
	const names = ['atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax', 'gemini', 'hydra'];
	return Array.from({ length: count }, (_, index) => ({
		name: `${names[index % names.length]}-${String(index).padStart(4, '0')}`,
		isCreating: index === 3 || index === 9 || index === 14,
		version: `1.${(index * 7) % 10}.${(index * 3) % 10}`,
		uptime: `${(index * 13) % 30}d ${(index * 5) % 24}h`,
	}));
}

/*
 ❯ atlas-0000    ● Active     ━━━━━━━━╸────────── 63%    1.4.2    6d 4h    12%    41%   8080    2s
*/
function lineOf(
	computer: Computer,
	index: number,
	isCurrent: boolean,
	tick: number,
	width: number,
) {
	const percent = computer.isCreating ? Math.min(99, (tick * 3 + index * 7) % 100) : 0;
	const filled = Math.floor(percent / 5);
	const status = computer.isCreating
		? `${sgr('33', spinner[tick % spinner.length] ?? '')} Creating`
		: index % 5 === 4
			? `${sgr('90', '○')} Stopped `
			: `${sgr('32', '●')} Active  `;
	const stage = computer.isCreating
		? `${sgr('36', '━'.repeat(filled))}${sgr('90', '─'.repeat(20 - filled))} ${String(percent).padStart(2)}%`
		: ' '.repeat(24);
	const usage = index % 5 === 4 ? ['', ''] : [`${(index * 17) % 100}%`, `${(index * 29) % 100}%`];
	const cells = [
		isCurrent ? sgr('1', computer.name.padEnd(16)) : computer.name.padEnd(16),
		status,
		stage,
		computer.version.padEnd(8),
		computer.uptime.padStart(8),
		...usage.map(each => each.padStart(5)),
		sgr('90', `${(index * 11) % 60}s`.padStart(6)),
	].join('  ');
	const line = ` ${isCurrent ? '❯' : ' '} ${cells}`;
	return isCurrent
		? `\u001B[48;5;236m${line.replaceAll('\u001B[0m', '\u001B[0;48;5;236m')}${' '.repeat(Math.max(0, width - 100))}\u001B[0m`
		: line;
}

type RowProps = {
	computer: Computer;
	index: number;
	isCurrent: boolean;
	tick: number;
	width: number;
};

const Row = memo(({ computer, index, isCurrent, tick, width }: RowProps) => (
	<Text wrap="truncate">{lineOf(computer, index, isCurrent, tick, width)}</Text>
));

export type FleetProps = {
	computers: readonly Computer[];
	isCalm: boolean;
	title: (text: string) => void;
	onInput: Terminal['onInput'];
	onKey: (key: string) => void;
	onPicture: () => void;
};

export function Fleet({ computers, isCalm, title, onInput, onKey, onPicture }: FleetProps) {
	const { columns, rows } = useWindowSize();
	const height = Math.max(1, rows - 6);
	// As in the monitor, React draws the change of a store at once.
	const [store] = useState(() => createStore(() => ({ current: 0, top: 0, typed: '' })));
	const { current, top, typed } = useStore(store);
	const [tick, setTick] = useState(0);

	function move(by: number) {
		store.setState(view => {
			const next = Math.max(0, Math.min(computers.length - 1, view.current + by));
			const highest = Math.max(0, Math.min(next, computers.length - height));
			return { current: next, top: Math.min(highest, Math.max(view.top, next - height + 1)) };
		});
	}

	useEffect(() => {
		title(`crowsnest: ${computers.length}`);
		onPicture();
	}, [title, onPicture, computers.length]);

	useEffect(() => {
		if (isCalm) return;
		const timer = setInterval(() => setTick(before => before + 1), 250);
		return () => clearInterval(timer);
	}, [isCalm]);

	const receive = useEffectEvent((input: TerminalInput) => {
		const key = 'key' in input ? input.key : '';
		const moves: Readonly<Record<string, number>> = {
			j: 1,
			down: 1,
			k: -1,
			up: -1,
			pagedown: height,
			pageup: -height,
			G: computers.length,
			g: -computers.length,
		};
		const steps = moves[key];
		if (steps !== undefined) return move(steps);
		const text = 'key' in input ? (Array.from(key).length === 1 ? key : '') : input.paste;
		store.setState(({ typed }) => ({ typed: (typed + text).slice(-20) }));
		onKey(key);
	});
	// A key that comes right after the first picture must not be lost.
	useLayoutEffect(() => onInput(input => receive(input)), [onInput]);

	const clock = new Date(Date.UTC(2026, 10, 21, 8, 0, tick >> 2)).toISOString().slice(11, 19);
	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<Text wrap="truncate">{` ${sgr('1', 'crowsnest')}  owner@example.com · Pro${' '.repeat(Math.max(1, columns - 50))}${clock}`}</Text>
			<Text wrap="truncate">{` ${computers.length} computers  ${sgr('32', '● 17 active')}  typed ${typed}`}</Text>
			<Text dimColor>{'─'.repeat(columns)}</Text>
			<Text bold wrap="truncate">
				{
					'   NAME              STATUS      STAGE                     VERSION     UPTIME    CPU    MEM    SEEN'
				}
			</Text>
			{computers.slice(top, top + height).map((computer, index) => (
				<Row
					key={computer.name}
					computer={computer}
					index={top + index}
					isCurrent={top + index === current}
					tick={computer.isCreating ? tick : 0}
					width={columns}
				/>
			))}
			<Text dimColor>{'─'.repeat(columns)}</Text>
			<Text wrap="truncate">
				{
					' s start  x stop  r restart  u update  D delete  ␣ mark  / filter  : command  ? help  q quit'
				}
			</Text>
		</Box>
	);
}
