export {
	openSpokenMonitor as openSpokenStage,
	type SpokenMonitor as SpokenStage,
} from '../driver/spoken.ts';
