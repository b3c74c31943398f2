type Sample = { labels: Readonly<Record<string, string>>; value: number };

type Family = { type: string; samples: readonly Sample[] };

const labelRule = '[a-z_]+="(?:[^"\\\\\\n]|\\\\[\\\\"n])+"';
const familyRule = /^# HELP (crowsnest_[a-z_]+) .+\n# TYPE \1 (gauge|counter)\n((?:[^#\n].*\n)+)$/;
const sampleRule = new RegExp(
	`^(crowsnest_[a-z_]+\\{(${labelRule}(?:,${labelRule})*)\\}) ([+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
);

/**
 * Parses Prometheus text as strictly as node_exporter. Throws at a wrong name, escape or number, a repeated series, a
 * family in two places, or a time.
 */
export function parseStrictly(text: string): ReadonlyMap<string, Family> {
	const families = new Map<string, Family>();
	const series = new Set<string>();
	for (const block of text.split(/^(?=# HELP )/m).filter(Boolean)) {
		const [, name = '', type = '', lines = ''] = familyRule.exec(block) ?? [];
		if (name === '' || families.has(name)) throw new Error(`wrong family: ${block}`);
		if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is no ${type}`);
		const samples = lines
			.trimEnd()
			.split('\n')
			.map(line => {
				const [, head = '', labels = '', number = ''] = sampleRule.exec(line) ?? [];
				if (!head.startsWith(`${name}{`) || series.has(head))
					throw new Error(`wrong line: ${line}`);
				series.add(head);
				return { labels: labelsFrom(labels), value: Number(number.replace('Inf', 'Infinity')) };
			});
		families.set(name, { type, samples });
	}
	return families;
}

const labelsFrom = (text: string) =>
	Object.fromEntries(
		Array.from(text.matchAll(new RegExp(labelRule, 'g')), ([label]) => {
			const [, name = '', value = ''] = /^(\w+)="(.*)"$/s.exec(label) ?? [];
			return [name, value.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter))];
		}),
	);
