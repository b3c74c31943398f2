// The same kind of screen in Ink as published, as a measure for the benchmark: a header, and rows of a thousand
// computers with a cursor. `j` moves it, and Page Down shows the next page.
import { Box, render, Text, useInput, useWindowSize } from 'ink';
import { createElement as h, useEffect, useState } from 'react';

const computers = Array.from({ length: 1000 }, (_, at) => ({
	name: `computer-${at}`,
	status: at % 7 ? 'Active' : 'Error',
	stage: at % 7 ? '' : 'image pull failed: disk quota exceeded',
	numbers: `${(at * 7) % 100}%`.padStart(6) + `${(at * 13) % 100}%`.padStart(6),
}));

const Row = ({ computer, isUnderCursor }) =>
	h(
		Text,
		{ wrap: 'truncate-end', inverse: isUnderCursor },
		` ${isUnderCursor ? '❯' : ' '} ${computer.name.padEnd(27)}`,
		h(
			Text,
			{ color: computer.status === 'Error' ? 'red' : 'green' },
			`● ${computer.status}`.padEnd(14),
		),
		`${computer.stage.padEnd(40)}${computer.numbers}     1.4.2`,
	);

function Fleet() {
	const lines = useWindowSize().rows - 4;
	const [cursor, setCursor] = useState(0);
	const [now, setNow] = useState(() => new Date());
	useEffect(() => {
		const timer = setInterval(() => setNow(new Date()), 1000);
		return () => clearInterval(timer);
	}, []);
	useInput((input, key) => {
		if (input === 'q') process.exit();
		const step = key.pageDown ? lines : input === 'j' ? 1 : 0;
		setCursor(at => Math.min(computers.length - 1, at + step));
	});
	const top = Math.max(0, Math.min(computers.length - lines, cursor - (cursor % lines)));
	const title = ' 1 Fleet  2 Billing  3 Models  4 Versions  5 Log'.padEnd(100);
	return h(
		Box,
		{ flexDirection: 'column' },
		h(Text, null, title + now.toTimeString().slice(0, 8)),
		h(Text, { dimColor: true }, '   NAME'.padEnd(30), 'STATUS'.padEnd(14), 'STAGE'),
		...computers
			.slice(top, top + lines)
			.map((computer, at) => h(Row, { key: at, computer, isUnderCursor: top + at === cursor })),
		h(Text, null, ' Enter open  / filter  Space mark  q quit'),
	);
}

render(h(Fleet), { alternateScreen: true, incrementalRendering: true, maxFps: 120 });
