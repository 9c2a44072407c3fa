-- How long a text is in characters as people see them: grapheme clusters of Unicode 17, as the network
-- and the browsers count them. The classes are those of the Unicode Character Database; a test compares
-- the count with the one of the JavaScript engine.
CREATE FUNCTION grapheme_class(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE name
    -- Extend, SpacingMark and the zero width joiner: they belong to the character before.
    WHEN 'extend' THEN
      '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a'
      '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a'
      '\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d'
      '\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957'
      '\u0962\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3'
      '\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d\u0a51\u0a70\u0a71\u0a75'
      '\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2\u0ae3\u0afa-\u0aff'
      '\u0b01-\u0b03\u0b3c\u0b3e-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62\u0b63\u0b82'
      '\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48'
      '\u0c4a-\u0c4d\u0c55\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cc4\u0cc6-\u0cc8'
      '\u0cca-\u0ccd\u0cd5\u0cd6\u0ce2\u0ce3\u0cf3\u0d00-\u0d03\u0d3b\u0d3c\u0d3e-\u0d44'
      '\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83\u0dca\u0dcf-\u0dd4\u0dd6'
      '\u0dd8-\u0ddf\u0df2\u0df3\u0e31\u0e33-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ece'
      '\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0f97'
      '\u0f99-\u0fbc\u0fc6\u102d-\u1037\u1039-\u103e\u1056-\u1059\u105e-\u1060\u1071-\u1074\u1082'
      '\u1084-\u1086\u108d\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752\u1753\u1772\u1773'
      '\u17b4-\u17d3\u17dd\u180b-\u180d\u180f\u1885\u1886\u18a9\u1920-\u192b\u1930-\u193b'
      '\u1a17-\u1a1b\u1a55-\u1a5e\u1a60\u1a62\u1a65-\u1a7c\u1a7f\u1ab0-\u1add\u1ae0-\u1aeb'
      '\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37'
      '\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u200c\u200d\u20d0-\u20f0'
      '\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\ua672\ua674-\ua67d\ua69e'
      '\ua69f\ua6f0\ua6f1\ua802\ua806\ua80b\ua823-\ua827\ua82c\ua880\ua881\ua8b4-\ua8c5'
      '\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36'
      '\uaa43\uaa4c\uaa4d\uaa7c\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf\uaac1\uaaeb-\uaaef\uaaf5'
      '\uaaf6\uabe3-\uabea\uabec\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\uff9e\uff9f\U000101fd'
      '\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a03\U00010a05\U00010a06'
      '\U00010a0c-\U00010a0f\U00010a38-\U00010a3a\U00010a3f\U00010ae5\U00010ae6'
      '\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab\U00010eac\U00010efa-\U00010eff'
      '\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011000-\U00011002\U00011038-\U00011046'
      '\U00011070\U00011073\U00011074\U0001107f-\U00011082\U000110b0-\U000110ba\U000110c2'
      '\U00011100-\U00011102\U00011127-\U00011134\U00011145\U00011146\U00011173'
      '\U00011180-\U00011182\U000111b3-\U000111c0\U000111c9-\U000111cc\U000111ce\U000111cf'
      '\U0001122c-\U00011237\U0001123e\U00011241\U000112df-\U000112ea\U00011300-\U00011303'
      '\U0001133b\U0001133c\U0001133e-\U00011344\U00011347\U00011348\U0001134b-\U0001134d\U00011357'
      '\U00011362\U00011363\U00011366-\U0001136c\U00011370-\U00011374\U000113b8-\U000113c0'
      '\U000113c2\U000113c5\U000113c7-\U000113ca\U000113cc-\U000113d0\U000113d2\U000113e1\U000113e2'
      '\U00011435-\U00011446\U0001145e\U000114b0-\U000114c3\U000115af-\U000115b5'
      '\U000115b8-\U000115c0\U000115dc\U000115dd\U00011630-\U00011640\U000116ab-\U000116b7'
      '\U0001171d-\U0001171f\U00011722-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011935'
      '\U00011937\U00011938\U0001193b-\U0001193e\U00011940\U00011942\U00011943\U000119d1-\U000119d7'
      '\U000119da-\U000119e0\U000119e4\U00011a01-\U00011a0a\U00011a33-\U00011a39'
      '\U00011a3b-\U00011a3e\U00011a47\U00011a51-\U00011a5b\U00011a8a-\U00011a99'
      '\U00011b60-\U00011b67\U00011c2f-\U00011c36\U00011c38-\U00011c3f\U00011c92-\U00011ca7'
      '\U00011ca9-\U00011cb6\U00011d31-\U00011d36\U00011d3a\U00011d3c\U00011d3d'
      '\U00011d3f-\U00011d45\U00011d47\U00011d8a-\U00011d8e\U00011d90\U00011d91'
      '\U00011d93-\U00011d97\U00011ef3-\U00011ef6\U00011f00\U00011f01\U00011f03'
      '\U00011f34-\U00011f3a\U00011f3e-\U00011f42\U00011f5a\U00013440\U00013447-\U00013455'
      '\U0001611e-\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f'
      '\U00016f51-\U00016f87\U00016f8f-\U00016f92\U00016fe4\U00016ff0\U00016ff1\U0001bc9d\U0001bc9e'
      '\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46\U0001d165-\U0001d169\U0001d16d-\U0001d172'
      '\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244'
      '\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75\U0001da84\U0001da9b-\U0001da9f'
      '\U0001daa1-\U0001daaf\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021'
      '\U0001e023\U0001e024\U0001e026-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae'
      '\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee\U0001e5ef\U0001e6e3\U0001e6e6\U0001e6ee'
      '\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a\U0001f3fb-\U0001f3ff'
      '\U000e0020-\U000e007f\U000e0100-\U000e01ef'
    -- Prepend: it belongs to the character after.
    WHEN 'prepend' THEN
      '\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3'
      '\U000113d1\U0001193f\U00011941\U00011a84-\U00011a89\U00011d46\U00011f02'
    -- Nothing belongs to a control character.
    WHEN 'control' THEN
      '\u0001-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f'
      '\ufeff\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
      '\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff'
    -- Pictures that a zero width joiner makes one of.
    WHEN 'pictograph' THEN
      '\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf'
      '\u23e9-\u23f3\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e'
      '\u2611\u2614\u2615\u2618\u261d\u2620\u2622\u2623\u2626\u262a\u262e\u262f\u2638-\u263a\u2640'
      '\u2642\u2648-\u2653\u265f\u2660\u2663\u2665\u2666\u2668\u267b\u267e\u267f\u2692-\u2697\u2699'
      '\u269b\u269c\u26a0\u26a1\u26a7\u26aa\u26ab\u26b0\u26b1\u26bd\u26be\u26c4\u26c5\u26c8\u26ce'
      '\u26cf\u26d1\u26d3\u26d4\u26e9\u26ea\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705'
      '\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747\u274c\u274e'
      '\u2753-\u2755\u2757\u2763\u2764\u2795-\u2797\u27a1\u27b0\u27bf\u2934\u2935\u2b05-\u2b07'
      '\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f004\U0001f02c-\U0001f02f'
      '\U0001f094-\U0001f09f\U0001f0af\U0001f0b0\U0001f0c0\U0001f0cf\U0001f0d0\U0001f0f6-\U0001f0ff'
      '\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a\U0001f1ae-\U0001f1e5'
      '\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f'
      '\U0001f249-\U0001f25f\U0001f266-\U0001f321\U0001f324-\U0001f393\U0001f396\U0001f397'
      '\U0001f399-\U0001f39b\U0001f39e-\U0001f3f0\U0001f3f3-\U0001f3f5\U0001f3f7-\U0001f3fa'
      '\U0001f400-\U0001f4fd\U0001f4ff-\U0001f53d\U0001f549-\U0001f54e\U0001f550-\U0001f567'
      '\U0001f56f\U0001f570\U0001f573-\U0001f57a\U0001f587\U0001f58a-\U0001f58d\U0001f590\U0001f595'
      '\U0001f596\U0001f5a4\U0001f5a5\U0001f5a8\U0001f5b1\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4'
      '\U0001f5d1-\U0001f5d3\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3'
      '\U0001f5fa-\U0001f64f\U0001f680-\U0001f6c5\U0001f6cb-\U0001f6d2\U0001f6d5-\U0001f6e5'
      '\U0001f6e9\U0001f6eb-\U0001f6f0\U0001f6f3-\U0001f6ff\U0001f7da-\U0001f7ff'
      '\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f\U0001f888-\U0001f88f'
      '\U0001f8ae\U0001f8af\U0001f8bc-\U0001f8bf\U0001f8c2-\U0001f8cf\U0001f8d9-\U0001f8ff'
      '\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001f9ff\U0001fa58-\U0001fa5f'
      '\U0001fa6e-\U0001faff\U0001fc00-\U0001fffd'
    -- Consonants that a linker between them makes one of.
    WHEN 'consonant' THEN
      '\u0915-\u0939\u0958-\u095f\u0978-\u097f\u0995-\u09a8\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09dc'
      '\u09dd\u09df\u09f0\u09f1\u0a95-\u0aa8\u0aaa-\u0ab0\u0ab2\u0ab3\u0ab5-\u0ab9\u0af9'
      '\u0b15-\u0b28\u0b2a-\u0b30\u0b32\u0b33\u0b35-\u0b39\u0b5c\u0b5d\u0b5f\u0b71\u0c15-\u0c28'
      '\u0c2a-\u0c39\u0c58-\u0c5a\u0d15-\u0d3a\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061'
      '\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e\u1780-\u17b3\u1a20-\u1a54\u1b0b\u1b0c'
      '\u1b13-\u1b33\u1b45-\u1b4c\u1b83-\u1ba0\u1bae\u1baf\u1bbb-\u1bbd\ua989-\ua98b\ua98f-\ua9b2'
      '\ua9e0-\ua9e4\ua9e7-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa6f\uaa71-\uaa73\uaa7a\uaa7e\uaa7f'
      '\uaae0-\uaaea\uabc0-\uabda\U00010a00\U00010a10-\U00010a13\U00010a15-\U00010a17'
      '\U00010a19-\U00010a35\U00011103-\U00011126\U00011144\U00011147\U00011380-\U00011389'
      '\U0001138b\U0001138e\U00011390-\U000113b5\U00011900-\U00011906\U00011909'
      '\U0001190c-\U00011913\U00011915\U00011916\U00011918-\U0001192f\U00011a00'
      '\U00011a0b-\U00011a32\U00011a50\U00011a5c-\U00011a83\U00011f04-\U00011f10'
      '\U00011f12-\U00011f33'
    WHEN 'linker' THEN
      '\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2\u1a60\u1b44\u1bab\ua9c0\uaaf6\U00010a3f'
      '\U00011133\U000113d0\U0001193e\U00011a47\U00011a99\U00011f42'
  END
$$;

CREATE FUNCTION grapheme_count(content text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
DECLARE
  extend  text := grapheme_class('extend');
  rest    text := replace(content, E'\r\n', E'\n');
  -- Leading consonants, vowels and final consonants of Hangul, and whole syllables.
  l CONSTANT text := '[\u1100-\u115f\ua960-\ua97c]';
  v CONSTANT text := '[\u1160-\u11a7\ud7b0-\ud7c6]';
  t CONSTANT text := '[\u11a8-\u11ff\ud7cb-\ud7fb]';
BEGIN
  IF octet_length(rest) = length(rest) THEN
    RETURN length(rest);
  END IF;
  -- Each step leaves one character of a cluster: of a family, of a flag, of a conjunct, of a syllable.
  -- Of what may stand inside a family or a conjunct only the usual marks are known here: a cluster with
  -- another counts as two, never as less than it is.
  rest := regexp_replace(rest, format('[%1$s](?:[\ufe0f\u20e3\u0300-\u036f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*\u200d[%1$s])+',
                                      grapheme_class('pictograph')), 'x', 'g');
  rest := regexp_replace(rest, '[\U0001f1e6-\U0001f1ff]{2}', 'x', 'g');
  rest := regexp_replace(rest, format('[%1$s](?:[%3$s]*[%2$s][%2$s%3$s]*[%1$s])+', grapheme_class('consonant'),
                                      grapheme_class('linker'), '\u093c\u09bc\u0abc\u0b3c\u0c3c\u200d'), 'x', 'g');
  rest := regexp_replace(rest, format('%1$s*[\uac00-\ud7a3]%2$s*%3$s*|%1$s+(?:%2$s+%3$s*)?|%2$s+%3$s*|%3$s+', l, v, t), 'x', 'g');
  rest := regexp_replace(rest, format('[%s]+(?=[^%s%s])', grapheme_class('prepend'), grapheme_class('control'), extend),
                         '', 'g');
  rest := regexp_replace(rest, format('([^%s])[%s]+', grapheme_class('control'), extend), '\1', 'g');
  RETURN length(rest);
END $$;
