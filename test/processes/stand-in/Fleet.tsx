import { Box, Text, useWindowSize } from 'ink';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { TerminalInput } from '../../../source/terminal/process/key-gate.ts';
import type { Terminal } from '../../../source/terminal/terminal.ts';

const stars = ['atlas', 'borealis', 'cygnus', 'draco', 'eridanus', 'fornax', 'gemini', 'hydra'];
const names = Array.from(
	{ length: 1_000 },
	(_, at) => `${stars[at % stars.length]}-${String(at).padStart(4, '0')}`,
);

export const title = `crowsnest: ${names.length}`;

type FleetProps = {
	isCalm: boolean;
	onInput: Terminal['onInput'];
	onKey: (key: string) => void;
};

/** A table that a person can scroll. Unless it is calm, its first line changes four times a second. */
export function Fleet({ isCalm, onInput, onKey }: FleetProps) {
	const { columns, rows } = useWindowSize();
	const height = Math.max(1, rows - 6);
	// As in the monitor, React draws the change of a store at once.
	const [store] = useState(() => createStore(() => ({ current: 0, top: 0, typed: '' })));
	const { current, top, typed } = useStore(store);
	const [tick, setTick] = useState(0);

	function move(by: number) {
		store.setState(view => {
			const next = Math.max(0, Math.min(names.length - 1, view.current + by));
			return { current: next, top: Math.min(next, Math.max(view.top, next - height + 1)) };
		});
	}

	useEffect(() => {
		if (isCalm) return;
		const timer = setInterval(() => setTick(before => before + 1), 250);
		return () => clearInterval(timer);
	}, [isCalm]);

	const receive = useEffectEvent((input: TerminalInput) => {
		const key = 'key' in input ? input.key : '';
		const moves: Readonly<Record<string, number>> = {
			j: 1,
			k: -1,
			down: 1,
			pagedown: height,
			g: -names.length,
		};
		const steps = moves[key];
		if (steps !== undefined) return move(steps);
		const text = 'key' in input ? (Array.from(key).length === 1 ? key : '') : input.paste;
		store.setState(({ typed }) => ({ typed: (typed + text).slice(-20) }));
		onKey(key);
	});
	// A key that comes right after the first picture must not be lost.
	useLayoutEffect(() => onInput(input => receive(input)), [onInput]);

	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<Text wrap="truncate">{` crowsnest  owner@example.com  ${tick}`}</Text>
			<Text wrap="truncate">{` ${names.length} computers  typed ${typed}`}</Text>
			<Text dimColor>{'─'.repeat(columns)}</Text>
			<Text bold wrap="truncate">
				{'   NAME              STATUS'}
			</Text>
			{names.slice(top, top + height).map((name, at) => (
				<Text key={name} wrap="truncate" bold={top + at === current}>
					{` ${top + at === current ? '❯' : ' '} ${name.padEnd(16)}  \u001B[32m● Active\u001B[39m  ${name.repeat(5)}`}
				</Text>
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
