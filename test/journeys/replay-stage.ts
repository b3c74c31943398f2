export { openReplay as openReplayStage, record as recordStage } from '../driver/replay.ts';
