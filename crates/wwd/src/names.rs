//! Names that the engines are known to use, so that `check` can point out the others.

use crate::Game;

/// The logics of Claw: those that the executable registers, as listed by the CrazyHook project, and those that its own
/// levels name.
const CLAW: &str = "
    AmbientPosSound AmbientSound AmmoPowerup AmuletGemLogic AniCycle AniCycleNormal AniRope Aquatis AquatisCrack
    AquatisDynamite AquatisStalactite BackStackedCrates BackgroundLogic BearSailor BehindAniCandy BehindCandy BehindCrate
    BehindStackedCrates BehindStatue BigSoundTrigger BlinkingEyes BossHealthMeter BossStager BossStagerAttack BossWarp
    BouncingGoodie BreakPlank Bullet CannonBall CannonButton CannonSwitch CaptainClaw CaptainClawHit
    CaptainClawRemoteRacer CaptainClawScreenPosition Chameleon Checkpoint CheckpointAttack CheckpointTimer ChildChar
    ChildLight ChildRibbon ChildScoreNum ClawDialogBigSoundTrigger ClawDialogHugeSoundTrigger ClawDialogSmallSoundTrigger
    ClawDialogSound ClawDialogSoundTrigger ClawDialogTallSoundTrigger ClawDialogTinySoundTrigger
    ClawDialogWideSoundTrigger ClawMultiRacer CoinPowerup ConveyorBelt CrabBomb CrabNest Crate CrateHit CratePowerup
    CrazyHook CrumblingPeg CrumblingPegNoRespawn CursePowerup CustomLogic CutThroat DoNothing DoNothingNormal Dynamite
    Elevator EndLevelGem EndOfLevelPowerup EnemyDialogSound FallingDebris FireBullet FirstSuperCheckpoint Fish Flare
    FloorSpike FloorSpike2 FloorSpike3 FloorSpike4 FrontAniCandy FrontCandy FrontCrate FrontStackedCrates FrontStatue
    Gabriel GabrielBomb GabrielCannon GlitterBaby GlitterMother GlitterlessPowerup GlobalAmbientSound GoldPowerup
    GooBubble GooCoverup GooVent GroundBlower GroundCannon HealthFrame HealthPowerup HermitCrab HitBurst
    HugeSoundTrigger IceBullet JumpSwitch Katherine Laser LavaGeyser LavaHand LavaHandProjectile LavaMouth
    LightningBullet LivesFrame LogicAttack LogicHit MagicBullet MagicPowerup MapPieceLogic MapProgressLogic Marrow
    MarrowFloor MenuClaw MenuSparkle Mercat Message MultiStats Officer Omar OmarBullet OmarShield OneTimeSteppingStone
    OneWayStartElevator OneWayTriggerElevator Parrot PathElevator PegLeg PistolBullet PointsIcon PowderKeg
    PowerupGlitter PunkRat Rat RatBomb Raux RedTail RedTailBullet RedTailKnife RedTailPirate RedTailSpikes RedTailWind
    RobberThief SawBlade SawBlade2 SawBlade3 SawBlade4 ScoreFrame ScoreRibbon Seagull SecondSuperCheckpoint Shake Sign
    SimpleAnimation SingleFrameMessage SinglePlank Siren SirenBullet SkullCannon SlidingElevator SmallSoundTrigger
    Soldier SoundTrigger SpecialPowerup Splash SpotAmbientSound SpringBoard Stalactite StandardElevator StartElevator
    StartSteppingStone StationaryLight StatusNumberDigit SteppingStone SteppingStone2 SteppingStone3 SteppingStone4
    StopElevator SuperCheckpointAttack SuperPowerup TProjectile TallSoundTrigger Tentacle TigerGuard TimerFrame
    TinySoundTrigger TogglePeg TogglePeg2 TogglePeg3 TogglePeg4 TowerCannonLeft TowerCannonRight TownGuard1 TownGuard2
    TreasureCounter TreasureLogic TreasurePowerup TridentBullet TriggerElevator WaterRock WeaponFrame WideSoundTrigger
    WindDebris Wolvington WolvingtonBullet WolvingtonLFX";

/// The logics of Gruntz: those that the executable registers, as its decompilation lists them.
const GRUNTZ: &str = "
    ActionArea AmbientPosSound AmbientSound AniCycle BehindCandy BehindCandyAni Boomerang Brickz CheckpointTrigger
    CoveredPowerup CursorSnapSprite DemoMover DemoSign DoNothing DoNothingNormal DroppedObject DroppedObjectShadow
    ExitTrigger Explosion EyeCandy EyeCandyAni FortressFlag FrontCandy FrontCandyAni GiantRock GlobalAmbientSound Grunt
    GruntCreationPoint GruntHealthSprite GruntPowerupSprite GruntPuddle GruntSelectedSprite GruntStaminaSprite
    GruntStartingPoint GruntToySprite GruntToyTimeSprite GruntVoice GruntWingzTimeSprite GuardPoint InGameIcon InGameText
    KitchenSlime LevelTime LightFx MenuSparkle ObjectDropper Particlez PathHazard Projectile RainCloud RollingBall
    SecretLevelTrigger SecretTeleporterTrigger SimpleAnimation SingleAnimation SpotAmbientSound SpotLight StaticHazard
    StatusBarSprite Teleporter TileSecretTrigger TileTrigger TileTriggerSwitch TileTriggerTransition TimeBomb ToobSpikez
    ToyPeek UFO VoiceTrigger Warlord WarpStonePad WayPoint Wormhole";

/// Returns whether the game has a logic of this name, in any case; `None` where the game's logics are not known.
pub(crate) fn is_logic(game: Game, name: &[u8]) -> Option<bool> {
    let known = match game {
        Game::Claw => CLAW,
        Game::Gruntz => GRUNTZ,
        Game::GetMedieval => return None,
    };
    Some(known.split_ascii_whitespace().any(|logic| logic.as_bytes().eq_ignore_ascii_case(name)))
}

/// Returns whether a logic keeps numbers of its own in the rectangles of its objects: distances and times of elevators and
/// pegs, areas and times of triggers and sounds. In Gruntz, a `UFO` stores the columns and rows of its route there, `Brickz` for which
/// players the color is visible, and a `GruntStartingPoint` how many tiles the grunt strays to each side.
pub(crate) fn has_numbers_in_rects(logic: &[u8]) -> bool {
    let has = |word: &[u8]| logic.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word));
    [&b"Elevator"[..], b"TogglePeg", b"SteppingStone", b"Trigger", b"AmbientSound", b"AmbientPosSound"]
        .into_iter()
        .any(has)
        || [&b"UFO"[..], b"Brickz", b"GruntStartingPoint"].into_iter().any(|word| word.eq_ignore_ascii_case(logic))
}

/// Returns whether a logic keeps something else in the direction of its objects. A `GruntStartingPoint` has the distance there at which an
/// enemy notices others, in tiles; the direction of a `RollingBall` follows from its image set.
pub(crate) fn has_number_in_direction(logic: &[u8]) -> bool {
    [&b"GruntStartingPoint"[..], b"RollingBall"].into_iter().any(|word| word.eq_ignore_ascii_case(logic))
}

/// Returns whether an image set belongs to one of the prefixes of a level's header (as `GAME` and `LEVEL`), or to those
/// that the engine and its extensions add by themselves.
pub(crate) fn is_image_set<'p>(name: &[u8], mut prefixes: impl Iterator<Item = &'p [u8]>) -> bool {
    let prefix = name.split(|&byte| byte == b'_').next().unwrap_or(name);
    let is = |known: &[u8]| known.eq_ignore_ascii_case(prefix);
    [&b"GAME"[..], b"LEVEL", b"CLAW", b"GRUNTZ", b"CUSTOM"].into_iter().any(is) || prefixes.any(is)
}
