export type ParsedSample = { labels: Readonly<Record<string, string>>; value: number };

export type ParsedFamily = { type: string; help: string; samples: readonly ParsedSample[] };

const nameRule = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const nonBaseUnits = /_(milliseconds|minutes|hours|days|percent|kilobytes|megabytes|ms)(_|$)/;
const numberRule = /^(NaN|[+-]Inf|-?\d+(\.\d+)?(e[+-]?\d+)?)$/;

/**
 * Parses Prometheus text as strictly as node_exporter and `promtool check metrics` together. Throws at the first
 * violation: a wrong name, unit or escape, a repeated series, a family in two places, a time or no final newline.
 */
export function parseStrictly(text: string): ReadonlyMap<string, ParsedFamily> {
	if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no newline');
	const families = new Map<string, { type: string; help: string; samples: ParsedSample[] }>();
	const series = new Set<string>();
	const lines = text.split('\n').slice(0, -1);
	let at = 0;
	while (at < lines.length) {
		const help = /^# HELP (\S+) (.+)$/.exec(lines[at++] ?? '');
		const type = /^# TYPE (\S+) (gauge|counter)$/.exec(lines[at++] ?? '');
		const name = help?.[1] ?? '';
		if (!help || !type || type[1] !== name) throw new Error(`no HELP and TYPE before line ${at}`);
		if (families.has(name)) throw new Error(`${name} is in two places`);
		checkName(name, type[2] ?? '');
		const samples: ParsedSample[] = [];
		for (; at < lines.length && !lines[at]?.startsWith('#'); at += 1) {
			const sample = parseSample(name, lines[at] ?? '');
			const key = JSON.stringify([name, Object.entries(sample.labels).sort()]);
			if (series.has(key)) throw new Error(`the series ${key} is repeated`);
			series.add(key);
			samples.push(sample);
		}
		if (samples.length === 0) throw new Error(`${name} has no samples`);
		families.set(name, { type: type[2] ?? '', help: help[2] ?? '', samples });
	}
	return families;
}

function checkName(name: string, type: string) {
	if (!nameRule.test(name) || !name.startsWith('crowsnest_')) throw new Error(`bad name ${name}`);
	if (nonBaseUnits.test(name)) throw new Error(`${name} is not in a base unit`);
	if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is no ${type}`);
	if (/_(count|sum|bucket|info)$|gauge|counter/.test(name))
		throw new Error(`bad suffix in ${name}`);
}

/** Parses one line. A second number, which would be a time, is refused. */
function parseSample(family: string, line: string): ParsedSample {
	let rest = line;
	const take = (rule: RegExp): string => {
		const found = rule.exec(rest);
		if (found?.index !== 0) throw new Error(`wrong line: ${line}`);
		rest = rest.slice(found[0].length);
		return found[1] ?? found[0];
	};
	if (take(/[a-z0-9_]+/) !== family) throw new Error(`${line} is not of ${family}`);
	const labels: Record<string, string> = {};
	if (rest.startsWith('{')) {
		do {
			take(/[{,]/);
			const label = take(/([a-z_]+)=/);
			if (label in labels) throw new Error(`the label ${label} is repeated`);
			const escaped = take(/"((?:[^"\\\n]|\\[\\"n])*)"/);
			labels[label] = escaped.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));
			if (labels[label] === '') throw new Error(`the label ${label} is empty`);
		} while (rest.startsWith(','));
		take(/\}/);
	}
	take(/ /);
	if (!numberRule.test(rest)) throw new Error(`wrong number: ${line}`);
	return { labels, value: Number(rest.replace('Inf', 'Infinity')) };
}
