/** One number of a family. Its labels distinguish it from the others. */
export type MetricSample = { labels: Readonly<Record<string, string>>; value: number };

/** Numbers of one kind, with the explanation that Prometheus shows beside them. */
export type MetricFamily = {
	name: string;
	type: 'gauge' | 'counter';
	help: string;
	samples: readonly MetricSample[];
};

//  # HELP crowsnest_computers Computers by phase.
//  # TYPE crowsnest_computers gauge
//  crowsnest_computers{account="work",phase="active"} 17

/**
 * Formats families as Prometheus text. A family without samples is left out. The text has no timestamps, because
 * node_exporter refuses them.
 */
export function expositionText(families: readonly MetricFamily[]): string {
	return families
		.filter(({ samples }) => samples.length > 0)
		.flatMap(({ name, type, help, samples }) => [
			`# HELP ${name} ${escapedHelp(help)}\n`,
			`# TYPE ${name} ${type}\n`,
			...samples.map(sample => `${name}${labelsText(sample)} ${numberText(sample.value)}\n`),
		])
		.join('');
}

const escapedHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const escapedLabel = (text: string) => escapedHelp(text).replaceAll('"', '\\"');

function labelsText({ labels }: MetricSample): string {
	const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedLabel(value)}"`);
	return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function numberText(value: number): string {
	if (Number.isFinite(value)) return String(value);
	return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
