const sequences: readonly (readonly string[])[] = [
	['creating', 'loading_image', 'ready'],
	[
		...['server_creating', 'server_created', 'cloud_init_running', 'cloud_init_done'],
		...['docker_pulling', 'docker_running', 'services_starting', 'services_ready'],
	],
];

export function creationStagesWith(stage: string): readonly string[] {
	return sequences.find(stages => stages.includes(stage)) ?? [stage];
}

export const stageText = (stage: string) => stage.replaceAll('_', ' ');

export const isFirstCreationStage = (stage: string): boolean =>
	sequences.some(([first]) => first === stage);
