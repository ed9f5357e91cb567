--- The order in which keys of mapinfo.lua are written: the engine's own, section by section (Recoil
--- rts/System/FileSystem/ArchiveScanner.cpp:73-85, rts/Map/MapInfo.cpp:89-541). Data only; keys are
--- matched without regard to case and written as they are given.
local colors_and_sun = { "sunDir", "groundAmbientColor", "groundDiffuseColor",
	"groundSpecularColor", "groundShadowDensity", "unitAmbientColor", "unitDiffuseColor",
	"unitSpecularColor", "unitShadowDensity", "specularExponent" }

return {
	[""] = { "name", "shortname", "description", "author", "version", "mapfile", "modtype",
		"depend", "replace", "maphardness", "notDeformable", "gravity", "tidalStrength",
		"maxMetal", "extractorRadius", "voidAlphaMin", "voidWater", "voidGround",
		"autoShowMetal",
		-- sections
		"smf", "resources", "splats", "atmosphere", "grass", "lighting", "water", "sound",
		"terrainTypes", "teams", "pfs", "custom", "defaultoptions" },
	smf = { "minHeight", "maxHeight", "minimapTex", "metalmapTex", "typemapTex", "grassmapTex" },
	resources = { "detailTex", "specularTex", "splatDetailTex", "splatDistrTex",
		"grassShadingTex", "skyReflectModTex", "detailNormalTex", "lightEmissionTex",
		"parallaxHeightTex", "grassBladeTex", "splatDetailNormalDiffuseAlpha",
		"splatDetailNormalTex" },
	splats = { "texScales", "texMults" },
	atmosphere = { "minWind", "maxWind", "fogStart", "fogEnd", "fogColor", "skyBox", "skyColor",
		"skyDir", "skyAxisAngle", "sunColor", "cloudColor", "fluidDensity", "cloudDensity" },
	grass = { "bladeWaveScale", "bladeWidth", "bladeHeight", "bladeAngle", "maxStrawsPerTurf",
		"bladeColor" },
	lighting = colors_and_sun,
	water = { "fluidDensity", "repeatX", "repeatY", "damage", "absorb", "baseColor", "minColor",
		"ambientFactor", "diffuseFactor", "specularFactor", "specularPower", "planeColor",
		"surfaceColor", "surfaceAlpha", "diffuseColor", "specularColor", "fresnelMin",
		"fresnelMax", "fresnelPower", "reflectionDistortion", "blurBase", "blurExponent",
		"perlinStartFreq", "perlinLacunarity", "perlinAmplitude", "windSpeed",
		"waveOffsetFactor", "waveLength", "waveFoamDistortion", "waveFoamIntensity",
		"causticsResolution", "causticsStrength", "texture", "foamTexture", "normalTexture",
		"shoreWaves", "forceRendering", "numTiles", "caustics" },
	terraintypes = { "name", "hardness", "receiveTracks", "moveSpeeds" },
	movespeeds = { "tank", "kbot", "hover", "ship" },
	teams = { "startPos" },
	startpos = { "x", "z" },
	sound = { "preset", "passfilter", "reverb" },
	passfilter = { "gainlf", "gainhf" },
	qtpfsconstants = { "layersPerUpdate", "maxTeamSearches", "minNodeSizeX", "minNodeSizeZ",
		"maxNodeDepth", "numSpeedModBins", "minSpeedModVal", "maxSpeedModVal",
		"maxNodesSearched", "maxRelativeNodesSearched" },
}
