import TestSupport

@testable import Symbols

/// Names, words and addresses of several languages, created by the data generator Faker 40.
///
/// The decoder's statistics come from another source, and this sample was drawn after its weights were final. Change
/// a weight for a language as a whole, never for a text below.
enum TextCorpora {
    /// Chinese names of two characters.
    static let chineseNames2 = list(
        """
        陈阳|高红|王阳|樊玉|李佳|耿峰|谭飞|任建|史波|李想|叶莉|赵林|陈利|许瑜|王想|安浩|李瑞|任伟|俞瑞|秦强|李燕|周瑜|程斌|王凯|孙萍|王文|唐莹|林兵|何雷|汪建|冯晨|
        赵军|蔡欣|卓梅|马琴|贾晨|张浩|黄芳|吕雷|张琴|叶丹|林伟|田霞|王颖|陈岩|陈莹|马飞|吕芳|张勇|刘健|王华|文强|张颖|蔡瑜|毛雪|丁凯|赵楠|黄文|刘阳|方彬|张帅|李霞|
        彭鑫|连楠|高瑞|卫梅|陶伟|张云|曾敏|孙斌|杜凯|马宁|高平|李亮|单梅|阎博|穆杰|徐斌|覃成|李帅|毛婷|许俊|张明|熊伟|胡璐|高云|张坤|郑杨|李莹|王磊|萧峰|王慧|苏旭|
        谢浩|李辉|王瑜|马玲|刘倩|曹波|许柳|杨明|陈想|李伟|杨辉|曹璐|刘宁|张雷|李娟|甘婷|田文|熊帆|白楠|王彬|吴林|高明|周彬|朱晶|杨刚|何强|高晶|
        """)

    /// Chinese names of three characters.
    static let chineseNames3 = list(
        """
        陆建华|王丽丽|刘兰英|陈桂香|袁玉梅|郑小红|姚玉英|陈小红|彭秀英|陈桂珍|程凤英|岳丽华|廖秀兰|李淑兰|胡建军|蒋秀珍|张桂珍|叶淑华|何桂珍|杨桂芝|杨凤英|张红梅|房丽娟|
        路志强|陈秀英|杨桂英|陆小红|吴建国|徐桂珍|王雪梅|黄建军|王淑兰|黄丽华|朱海燕|廖秀珍|郭秀英|谢桂荣|陈兰英|林海燕|吴金凤|吕丽华|张雪梅|李桂兰|陈秀珍|曹秀珍|陈红霞|
        吕淑英|吕建国|吕秀英|张秀荣|傅秀珍|魏秀云|田桂花|郭玉兰|姜建军|黄玉英|王秀梅|薛桂花|云桂香|韩玉珍|林婷婷|倪淑华|周秀英|杜桂珍|高秀云|王建军|刘丽娟|王兰英|张秀兰|
        晏凤英|郑婷婷|钱小红|徐秀英|张志强|隋淑珍|严兰英|高桂英|苗小红|邓凤英|赵凤兰|俞小红|张春梅|许桂珍|汪小红|兰建国|蓝桂芝|周金凤|吴玉英|隆金凤|卓秀梅|柳桂荣|吴桂香|
        陈建国|施桂芝|孔淑英|刘秀荣|甘秀荣|陈凤英|陈金凤|翟金凤|李冬梅|莫兰英|韩桂芝|马海燕|徐桂兰|赵婷婷|张海燕|王淑华|田建军|陈玉英|王丽华|魏丽娟|张玉英|陆淑英|干建华|
        施凤英|赵秀梅|胡红梅|刘淑珍|郑桂英|
        """)

    /// Chinese companies, addresses and jobs.
    static let chineseTexts = list(
        """
        中建创业信息有限公司|合山街P座|襄樊地球村信息有限公司|会计经理/会计主管|电梯工|东方峻景传媒有限公司|良诺传媒有限公司|哈尔滨街m座|张家港路C座|诺依曼软件科技有限公司|
        化工技术应用/化工工程师|动物营养/饲料研发|伍路m座|文案/策划|尹街Z座|立信电子传媒有限公司|戴硕电子科技有限公司|行政主厨/厨师长|时刻传媒有限公司|刘路E座|卢街K座|
        艾提科信网络有限公司|游泳教练|开发区世创传媒有限公司|维涛网络有限公司|张路I座|店长/经理|汽车项目管理|保险核保|刘路u座|太原路i座|佛山路p座|惠派国际公司网络有限公司|
        多媒体/游戏开发工程师|FAE 现场应用工程师|趋势网络有限公司|团购经理/主管|其他|助理业务跟单|趋势传媒有限公司|汽车钣金|调色员|明腾网络有限公司|徐街e座|邹路h座|马路n座|
        思优传媒有限公司|采购总监|恒聪百汇网络有限公司|网页设计/制作/美工|张路v座|飞海科技网络有限公司|商软冠联网络有限公司|商软冠联信息有限公司|市场通路经理/主管|泰麒麟科技有限公司|
        海口路i座|网站策划|钢筋工|政府事务管理|杨街Z座|合山路Z座|长沙路k座|巨奥信息有限公司|艾提科信传媒有限公司|马路p座|潘街v座|成都街k座|华远软件信息有限公司|
        凌颖信息信息有限公司|鑫博腾飞网络有限公司|采购材料、设备质量管理|通辽街v座|客服经理|会计|市场通路专员|昆明路F座|马鞍山路F座|南昌路D座|易动力科技有限公司|
        """)

    /// Names from Taiwan.
    static let traditionalNames = list(
        """
        黃秀英|林俊傑|施素蘭|李建興|蕭麗華|吳國雄|林淑貞|蘇秀美|王子恩|孫柏翰|林麗玉|鍾文祥|林宜蓁|唐俊傑|林柏宏|張承恩|陳宗憲|余冠宏|簡宸睿|陳建華|彭家銘|古明輝|許金鳳|
        宋秀珠|邱月娥|楊淑娟|林文彬|劉美麗|李佳玲|鍾月娥|鄧淑美|黃冠廷|施志遠|程志鴻|侯麗雲|賴建志|李淑娟|黃美蘭|蘇志豪|李彥廷|陳秀枝|楊文祥|郭欣怡|康金龍|李建銘|賴進財|
        戴凱翔|王詩涵|李雅惠|王宇恩|沈凱翔|陳明輝|羅雅玲|邱志強|卓武雄|張國雄|徐俊佑|施金龍|何麗華|簡淑娟|陳志豪|鄭佳玲|張雅慧|吳淑珍|韓柏霖|賴怡君|陳麗美|陳鈺婷|王美玲|
        李苡晴|林麗雲|簡文彬|林碧霞|藍美珍|胡麗雪|李美雲|甘佳玲|楊秀娟|傅家瑋|朱志雄|葉柏翰|徐彥廷|何志鴻|廖惠玲|張金鳳|黃美珍|張碧雲|陳俊良|陳國華|杜秀玲|呂志偉|羅文龍|
        翁玉琴|粘宗霖|朱欣怡|劉俊賢|林文欽|陳麗娟|劉柏宇|盧玉琴|
        """)

    /// Companies and addresses from Taiwan.
    static let traditionalTexts = list(
        """
        信永藥品|58116 馬公忠義巷8段10號1樓|大八電視|古太可口可樂資訊有限公司|594 花蓮和平路960號之9|王鼎餐飲集團股份有限公司|290 桃園縣博愛街627號之5|
        塑台石化資訊有限公司|68880 台北市象山路21號之2|丹味企業股份有限公司|886 褒忠育英路3號0樓|品王餐飲資訊有限公司|70672 豐原縣新北投街387號3樓|麥當當|
        遊戲葡萄數位科技資訊有限公司|隆豐大飯店（北台君悅）有限公司|共公電視股份有限公司|285 太保市光復巷37號之4|華中郵政股份有限公司|冠智科技股份有限公司|
        598 花蓮縣關渡巷697號之5|賓國大飯店資訊有限公司|隆豐大飯店（北台君悅）資訊有限公司|98190 新北劍潭巷2段87號之1|台灣台油有限公司|72196 永康中央路43號5樓|
        古太可口可樂股份有限公司|262 豐原府中路3段130號5樓|邦富人壽保險資訊有限公司|37379 新營林森街62號之9|362 南投新北投路29號之6|品誠有限公司|發聯科技股份有限公司|
        767 汐止縣勝利巷2號4樓|台灣地土銀行資訊有限公司|鮮爭|847 嘉義象山路57號4樓|805 南投市華興巷441號2樓|平太洋崇光百貨股份有限公司|興復航空運輸有限公司|
        634 樹林市大同街46號之5|樂可旅遊集團有限公司|663 中壢萬隆路81號0樓|475 新營中正路190號之2|愛味之股份有限公司|63257 金門市天母街67號之1|
        627 澎湖龍山寺巷7號4樓|33284 馬公福德路48號0樓|75861 太平忠孝街41號之6|家宜家居（KIEA）股份有限公司|931 竹田縣民有巷28號之4|
        13620 中和福安街83號8樓|碩華電腦|99938 永康育英路1號之6|台灣生資堂資訊有限公司|12798 褒忠市奇岩路4段739號之3|66381 苗栗市關渡巷214號5樓|
        62824 台中新興街86號3樓|994 連江新莊街7段4號之2|703 光復市光復街139號之0|中台信託商業銀行股份有限公司|457 竹田淡水巷63號3樓|台灣軟微資訊有限公司|
        635 新竹縣育英街88號8樓|遠西百貨|135 桃園動物園路47號3樓|台灣電信有限公司|158 連江大安街5號之0|39094 蘆洲中和巷8號7樓|豐兆國際商業銀行資訊有限公司|
        台日積體電路|710 梅山中興巷84號2樓|84911 草屯萬隆街901號8樓|台灣生資堂|50401 北港新店路6號之1|56121 中和縣太平路26號6樓|星燦國際旅行社股份有限公司|
        AYHOO!摩奇資訊有限公司|明陽海運股份有限公司|神漢名店百貨|
        """)

    /// Japanese names.
    static let japaneseNames = list(
        """
        清水 幹|小林 里佳|小林 知実|斎藤 晃|山本 康弘|中川 知実|岡本 聡太郎|渡辺 和也|木村 美加子|青木 あすか|鈴木 晃|松本 千代|林 晃|中村 あすか|山田 桃子|高橋 充|
        吉田 智也|吉田 明美|橋本 裕美子|藤原 太郎|山口 涼平|山崎 あすか|林 裕太|鈴木 七夏|清水 さゆり|石川 舞|中村 加奈|清水 結衣|山本 千代|斉藤 洋介|石川 桃子|
        前田 幹|山口 修平|山田 裕美子|佐々木 陽子|前田 さゆり|山本 智也|高橋 直人|松本 陽一|長谷川 裕樹|田中 里佳|前田 康弘|石川 陽子|鈴木 千代|井上 治|中村 修平|
        小川 太一|佐藤 晃|長谷川 春香|吉田 さゆり|井上 花子|石井 陽子|鈴木 太一|林 直樹|遠藤 太一|長谷川 里佳|吉田 浩|田中 裕樹|佐々木 加奈|岡田 直人|中村 さゆり|
        坂本 和也|吉田 結衣|斎藤 裕樹|中川 智也|池田 あすか|加藤 学|青木 加奈|山本 裕太|西村 真綾|高橋 加奈|佐々木 くみ子|佐々木 聡太郎|佐々木 直子|山本 さゆり|
        佐々木 千代|中村 真綾|前田 くみ子|井上 康弘|池田 健一|斉藤 明美|木村 淳|渡辺 明美|斉藤 里佳|山口 太郎|三浦 裕樹|鈴木 浩|村上 洋介|佐藤 知実|田中 稔|山本 真綾|
        高橋 桃子|岡本 治|石川 加奈|石井 幹|山崎 陽一|長谷川 明美|林 あすか|佐々木 知実|中島 陽子|
        """)

    /// Japanese companies, addresses and jobs.
    static let japaneseTexts = list(
        """
        アニメーター|音楽家|コバヤシ ハルカ|山崎保険株式会社|運転士|サイトウ リカ|井上情報合同会社|サトウ ジュン|アイドル|有限会社山口ガス|司法書士|
        熊本県横浜市都筑区港南42丁目23番9号 クレスト三ノ輪343|モデル|ナカムラ ユウキ|測量士|株式会社山田運輸|大阪府山武市花川戸14丁目13番8号 パレス花川戸039|
        愛媛県川崎市宮前区花島16丁目14番15号 アーバン天神島300|福岡県南房総市轟31丁目8番2号|株式会社中島情報|ワタナベ リョウヘイ|小説家|ササキ レイ|ハヤシ アスカ|
        ゲームクリエイター|島根県あきる野市上高野37丁目22番11号 北上野クレスト818|スズキ ヨウスケ|石川県福生市北上野31丁目6番11号 パーク浅草074|演歌歌手|サイトウ ナオト|
        カトウ ユイ|アオキ ナオト|三重県新島村豊町22丁目19番12号|アーティスト|長野県新島村外国府間17丁目24番8号 氏家コート173|漫画家|スズキ カナ|マツダ カナ|
        福島県印旛郡酒々井町柿木沢新田5丁目6番4号 押上コート478|営業|医師|イシカワ ミカコ|ヨシダ モモコ|村上銀行合同会社|イノウエ ナオコ|ムラカミ ヤスヒロ|橋本農林有限会社|
        徳島県川崎市多摩区四区町33丁目25番6号 元浅草コート097|花火師|カトウ ナオコ|配管工|タカハシ タクマ|村上食品有限会社|アオキ リカ|サカモト リカ|
        愛媛県夷隅郡御宿町津久戸町27丁目13番7号|スズキ ナオキ|島根県印旛郡栄町神明内3丁目6番9号|鹿児島県昭島市筑土八幡町24丁目25番1号 アーバン隼町807|
        兵庫県豊島区港南23丁目18番5号|
        """)

    /// Japanese names in half-width katakana.
    static let halfWidthNames = list(
        """
        ｻﾄｳ ｶｵﾘ|ｻﾄｳ ﾁﾖ|ﾌｼﾞｲ ﾕｳｷ|ﾌｼﾞｲ ﾐｶｺ|ﾔﾏﾀﾞ ﾐｶｺ|ｵｶﾞﾜ ｼｮｳﾀ|ｺﾞﾄｳ ﾊﾙｶ|ﾅｶﾑﾗ ﾔｽﾋﾛ|ﾊｾｶﾞﾜ ﾐｷ|ﾜﾀﾅﾍﾞ ｵｻﾑ|
        ｺﾊﾞﾔｼ ﾅｵｷ|ｺﾊﾞﾔｼ ﾅｵｺ|ｵｶﾀﾞ ﾁﾖ|ﾔﾏﾓﾄ ｶﾅ|ｴﾝﾄﾞｳ ｶﾅ|ｺﾞﾄｳ ﾋﾛｼ|ｻｲﾄｳ ﾘｶ|ｽｽﾞｷ ﾔｽﾋﾛ|ｵｶﾀﾞ ﾅﾅﾐ|ｱｵｷ ﾊﾅｺ|
        ｲﾄｳ ﾖｳｽｹ|ﾊﾔｼ ﾂﾊﾞｻ|ｻﾄｳ ｱｷﾗ|ﾜﾀﾅﾍﾞ ﾏｲ|ﾀｶﾊｼ ﾋﾃﾞｷ|ﾔﾏﾓﾄ ｱﾂｼ|ﾀｶﾊｼ ｿｳﾀﾛｳ|ﾌｸﾀﾞ ﾐｶｺ|ﾔﾏｻﾞｷ ﾊﾙｶ|ﾔﾏﾀﾞ ﾔｽﾋﾛ|
        ﾆｼﾑﾗ ﾖｳｽｹ|ﾊｼﾓﾄ ｱｽｶ|ﾔﾏｻﾞｷ ｶｵﾘ|ｽｽﾞｷ ﾅｵｺ|ﾅｶﾑﾗ ﾐｶｺ|ｷﾑﾗ ﾐｷ|ｵｶﾓﾄ ﾀﾛｳ|ｽｽﾞｷ ﾊﾅｺ|ｻｲﾄｳ ﾐｶｺ|ﾖｼﾀﾞ ﾊﾙｶ|
        ﾖｼﾀﾞ ﾊﾅｺ|ﾊｾｶﾞﾜ ﾊﾙｶ|ｻﾄｳ ｼﾞｭﾝ|ﾊﾔｼ ﾊﾙｶ|ｺﾊﾞﾔｼ ｼｮｳﾀ|ｺﾞﾄｳ ﾁﾖ|ｻﾄｳ ｼｭｳﾍｲ|ﾏﾂﾓﾄ ﾅｵﾄ|ﾏﾂﾀﾞ ﾊﾅｺ|ｲｹﾀﾞ ｵｻﾑ|
        ﾀｶﾊｼ ﾚｲ|ﾆｼﾑﾗ ﾏｱﾔ|ｲｼｶﾜ ﾘｶ|ﾔﾏﾓﾄ ｸﾐｺ|ﾌｼﾞｲ ｻﾕﾘ|ﾏﾂﾓﾄ ﾘｮｳｽｹ|ﾔﾏｻﾞｷ ﾅｵｷ|ｶﾄｳ ｱﾂｼ|ﾀｶﾊｼ ﾏﾅﾌﾞ|ｵｶﾓﾄ ｼｮｳﾀ|
        ﾊｼﾓﾄ ｶﾅ|ｵｶﾞﾜ ﾀｲﾁ|ﾆｼﾑﾗ ﾐﾂﾙ|ｵｵﾀ ｱｷﾗ|ﾏｴﾀﾞ ﾏｱﾔ|ﾅｶｼﾞﾏ ｸﾐｺ|ﾌｼﾞｲ ﾋﾃﾞｷ|ﾌｸﾀﾞ ﾐｷ|ｶﾄｳ ｿｳﾀﾛｳ|ｼﾐｽﾞ ﾔｽﾋﾛ|
        ｻﾄｳ ﾘｮｳｽｹ|ﾔﾏﾓﾄ ﾕﾐｺ|ﾔﾏｻﾞｷ ﾅｵﾄ|ｽｽﾞｷ ﾘｶ|ｻﾄｳ ﾕﾐｺ|ｶﾄｳ ｱｹﾐ|ｻｻｷ ﾅｵｷ|ﾓﾘ ﾘｮｳﾍｲ|ﾀｶﾊｼ ｶﾅ|ｲｼｶﾜ ﾏｲ|
        """)

    /// Korean names.
    static let koreanNames = list(
        """
        전영희|백재현|김현숙|박경수|이지원|김동현|최지아|박정수|최영식|오정희|주현주|김옥자|고정훈|배보람|이성진|이영수|신미경|전명숙|최경숙|배미정|이서윤|김승현|이현지|
        김은서|권경숙|이상현|권영식|강현지|이정자|강보람|이민재|김지민|권하윤|김병철|김수진|김지혜|박정식|백예준|신상호|엄영길|양승현|엄예준|박순자|김은주|김경희|문현준|
        이정순|이민준|조민서|김영일|김준호|강아름|김정희|고경자|김영자|이정식|김민수|최정훈|김영길|윤준서|김예지|조진호|배지혜|이현정|최보람|김은영|오성진|박영식|김지영|
        장성진|황명자|장미정|김시우|양예준|김미경|나영일|정은경|안현주|양영진|이예지|김지우|하서윤|오영순|손재현|한민석|이명숙|김재현|한정웅|이은주|최정호|김민지|김은지|
        나예원|이서준|권도현|박지영|박정호|김현우|이서연|이건우|
        """)

    /// Korean companies, addresses and jobs.
    static let koreanTexts = list(
        """
        판금원|울산광역시 동대문구 잠실873가 664 (수민손읍)|주식회사 코리아이노네트워크|사진기자 및 사진가|주식회사 백제가야자동차|
        서울특별시 성동구 석촌호수가 지하765 (상훈김최리)|(유) 고려보안|(유) 조선신문|시각 디자이너|대전광역시 남구 선릉가 843-91 (건우윤이리)|주식회사 다올금고|
        울산광역시 은평구 압구정1가 지하726|운송관련 관리자|(유) 하나모두은행|화학물 가공장치 조작원|주조기 조작원|주식회사 스타출판|주식회사 코리아|
        건설 및 광업 단순 종사원|정육원 및 도축원|여행 및 관광통역 안내원|유한회사 나루종합솔루션|(주) 윈드|대전광역시 성동구 학동096로 지하57|주식회사 코어원더정보통신|
        제품 생산관련 관리자|대전광역시 동구 가락63가 12 (옥순양읍)|(유) 마음하나센터|(유) 발해코어자동차|울산광역시 북구 테헤란거리 327|주식회사 에코한가람에너지|
        법률/경찰/소방 및 교도 관리자|기타 건설/전기 및 생산 관련 관리자|전라남도 의정부시 논현가 684-57 (정웅이김마을)|촬영기사|보험 심사원 및 사무원|(주) 스타|
        철근공|주식회사 가온코스메틱|보험 설계사 및 간접투자증권 판매인|주식회사 나루|(유) 글로벌소프트|(유) 가온항공|기타 의료/복지 관련 서비스 종사원|
        강원특별자치도 화성시 석촌호수37가 지하620|음식 배달원|음향 및 녹음 기사|강구조물 가공원 및 건립원|식품/섬유 공학 및 에너지 시험원|경리 사무원|
        주식회사 한가람바이오|(주) 신라네트웍스|(유) 인포첨단랩스|대구광역시 강북구 봉은사로 488 (준영박마을)|기술 및 기능계 강사|주식회사 가야|주식회사 에코윈드자동차|
        (유) 제나글로벌개발공사|대구광역시 광진구 반포대가 315-31|광주광역시 마포구 서초중앙9거리 99 (정수서최읍)|
        """)

    /// Western names with an accented letter.
    static let latinNames = list(
        """
        Cemil Löwer|Étienne-Timothée Pottier|Rodolfo Zacarías Gallardo|Élise Rossi|Helena Lähteenmäki|
        Juanito Barrios Ríos|José Miguel Freitas|Anunciación Pili Galván Arenas|Daniel-Bertrand Mendès|
        Arthur Pépin-Duval|André Kristiansen-Kjær|Juhani Kivistö|Albano Cerdán Canales|Vidar Ståhl|
        Luiza Gonçalves|Amélie Houle|Abigail Berta García|Ramón Garay|Édouard Fournier|
        Cristina Caparrós-Manrique|Andrés Emilio Velasco Martínez|Timothée Deschênes|
        Ing. Gregorio Báez|Bartholomäus Ruppersberger|Alexis Prévost|Göran Bengtsson|Grégoire Dion|
        Sessa Pichardo Rincón|Anneli Sillanpää-Keskinen|Aurélie Mathieu|Stig Svärd|Justus Hörl|
        Tapio Väänänen|Marisol Granado Rodrígez|José Carlos Henríquez|Fru Merete Nørgaard|Renée Joly|
        Prof. Øyvind Frederiksen|William-Noël Bourgeois|Stanislaus Geißler|Øjvind Berg|
        François Simard-Girard|Cécile Bernard|Gabriel Bélanger|James Leitner-Steinböck|Johan Strömberg|
        Reyes de Cánovas|Théophile-Frédéric Briand|Mirjami Sipilä-Laakkonen|Maarit Kärkkäinen|
        Rufino Ramón Santacruz Mondragón|Renée Lopez-Delahaye|Børge Petersen|Jasmin Østergaard|
        Laís da Rocha|Édouard Rey|Gisela Escobar Arévalo|Pentti Pitkänen|Juho Järvinen|Kari Mäkinen|
        Jesús Gonzalo Luevano|Maria Rosén-Söderström|Alma Jørgensen|Aki Nyberg-Lindström|
        Efraín Izaguirre|Hans-Michael Kobelt-Säuberlich|Josette Pépin|Mitzy Arcelia Dueñas|
        Dr. José María Mojica|Esko Palomäki|Sébastien Larose|Gérard Bisson-Vincent|
        Henrik Södergren-Söderholm|Åse Henriksen|Marcus Möchlichen B.Eng.|
        Pauliina Männistö-Jääskeläinen|Isaías Carmelo Padilla Roldán|Julie-Adèle Denis|
        Annika Järvinen-Kivelä|Céline Pires-Reynaud|Charles Benoît|Marta Acuña Larrea|Roger Labbé|
        Sr. José Carlos Gonzales|Leoncio Marc Gallo Marí|André Le Gautier|Geraldo Guzmán Sala|
        Dorothée Langlois|Irma Pühringer|Ingegärd Hassan|Henrik Kosonen-Hämäläinen|
        Kenan Neuschäfer-Eimer|Stéphanie Robert|Hanna Lövgren|René Peron|Prof. Irmtraut Rädel|
        Mandy Jäntsch|Andrée Dion|Aurélie Laporte|Josué Correia|Lucía Calderón Aguilera|
        Zoé Richard de la Sanchez|Gülten Radisch-Junk|Gertraud Bähr|Théo Pinto|Dra. Blanca Chávez|
        Anaïs de Rousset|Michel Prévost|Béatrice Vallée|Timoteo Lupe Fuertes Farré|Moisés Méndez-Gual|
        Hans Lindström|José Miguel Gomes|Ida Sandström|Océane Le Marchand|Marcelo Cámara Izquierdo|
        Antero Pöllänen|Anna Vikström|Celia Vélez|Gérard Pierre|Armando Federico Gutiérrez Bravo|
        Nacho Ariño Valentín|María Cristina Bernal Báez|Frédérique Vallet-Menard|Anabel Jover Narváez|
        Juhani Väisänen|Benedikt Schüller|Ramón Otero|Abdul Edström|Juan Francisco Ayllón Niño|
        André Labrecque|Dr. Luis Manuel Rendón|Gilberto Blanch Guzmán|Dr. Luiz Otávio da Costa|
        Dr. Julio León|Fátima Manso-Fuente|Céline Bédard|Michael Jørgensen|Bodil Kjær|Nilda Jordán|
        Lærke Mogensen-Brandt|Lívia Novais|Thea Kjær|Marcio Barrena González|Linnéa Andreasson Engberg|
        Stéphane Petit|Evy Byström|Marta Ricarda Niño Plaza|Custodia Yésica Casanovas Merino|
        Cloe del Carbó|Agnès Leduc de la Imbert|Friederike Spieß|Estefanía Isabel Alonso Toro|
        Åge Mikkelsen|Isidoro Córdoba España|Vanessa Larivière|Macarena de Luján|Sussanne Østergaard|
        Rémy Lemieux|Chantal Léger Le Benard|
        """)

    /// Single words with an accented letter.
    static let latinWords = list(
        """
        Kankaanpää|Frühwirth|Mäkelä|Théodore|Päivikki|Adèle-Dominique|Sepúlveda|Élodie|
        Holgersson-Bergström|Rivière|Østergaard|Élodie-Pauline|Gérard|Adélaïde|Sá|Morante-Castelló|
        Castilla-Baños|Yéssica|Timothée|Jørgensen|Rafaél|Solís|María|Mäkinen|Josué|Björk|Nordström|
        Gonçalves|René|Rocher-Mendès|Abad-Mínguez|Benício|Bermúdez|Leppänen|Begoña|Joséphine|Thérèse|
        Lövgren-Folkesson|René-Bertrand|Farías|Édouard-Sébastien|Tórrez|Armendáriz|Ramón|Étienne-Éric|
        Söderberg|Bárbara|Ménard|Stéphanie|Angélica|Barragán|Hörle|Gaytán|Hautamäki|Hedberg-Bergström|
        Amélie|Hänninen-Hirvonen|Heinz-Günter|Vézina|Mendonça|Juliá-Carrillo|Strömberg|Gösta|
        Frédérique|Cortés|Émile|Mathieu-Ménard|Håkan|Badía|Español|Hagström-Olofsson|Júlia|
        Probst-Fürst|Sørensen|Lívia|Jörgen|Hellström|Víctor|Pénélope|Agustín|César|Iván|Bergström|
        Rädel|Anaïs|José|Zurita-Muñoz|Yáñez|Tessier-Piché|Aragão|Møller|Montañez|Bégin|Nørgaard|
        Kivistö|Cantón|Törnqvist|Roselló|Estefanía|Gunnarsson-Bergström|Väyrynen-Lehtinen|Søndergaard|
        Eugène|Ylönen|Alemán|Lindholm-Välimäki|Bartolomé|Michèle|Étienne-Maury|Hervé|Domínguez|
        Bayón-Campillo|Fröhlich|Sacristán|Jørgensen-Clausen|Alcántara|Étienne-Patrick|Cecília|Mélanie|
        João|
        """)

    /// Western addresses.
    static let latinTexts = list(
        """
        Niitynperänkatu 27|Ålborgvej 750|Rambla de José Mari Vargas 7 Apt. 00 |
        Linnea-Kessler-Straße 2/0|Privada Sur Beltrán 516 Interior 494|Peatonal Côte d'Ivoire 916 159|
        Maja-Auinger-Straße 646|16, chemin de Maréchal|2348 chemin Amélie|Döbelninkuja 04|
        Idrottsvägen 6|Moritz-Klement-Straße 8|Löfflerstr. 3/3|Cañada de Manuela Gámez 561|
        Athensstræde 2|Bäckgränd 623|Industrivägen 16|Privada Terán 974 Edif. 673 , Depto. 744|
        Industrivägen 2|Sahra-Neumayr-Straße 767|Calle San Luis Potosí 469 Interior 947|
        Pasaje Cándido Vargas 75 Apt. 30 |Parkvägen 7|Bygmester Allé 446|Estação Nascimento, 79|
        Nørre Voldgade 456|Jäkäläkatu 690|Yrjö-Koskisen katu 29|Sætersdalvej 3|Yläkaskentie 732|
        451 montée Victor|Plaza Evita España 17 Piso 8 |Calle de Nieves Narváez 5|Skolgränd 321|
        Campo Eloá Nunes, 2|6915 montée Ménard|Syvstens Allé 3|Privada Quiñones 704 Interior 712|
        Ava-Dobler-Straße 7|Estação de Teixeira, 55|Kernstraße 2/1|3567 montée Benoît|
        Sítio Siqueira, 93|Holbækmotorenvej 99|Callejón Luisina Cañete 78 Apt. 01 |Hentschelstraße 8-4|
        Birnbaumstraße 145|Callejón Nuevo León 827 895|Circunvalación Nicaragua 012 377|
        8542 montée Labelle|Fordresgårdvej 7|Betty-Metz-Straße 92|
        Pasadizo de Anacleto Piña 44 Puerta 1 |Carlo-Puchner-Straße 1/3|
        Circunvalación Norte Ojeda 914 Interior 897|Sofienhøjstræde 407|Selin-Köck-Platz 3|
        Løgæblevej 225|Privada Camerún 144 927|Löchelallee 823|Böschstr. 263|
        Cuesta de Emigdio Larrañaga 14|Praça Rafaela Silveira, 5|Werner Wirénin kuja 34|
        Järnvägsvägen 8|5858 rue Dubé|Colônia Fogaça, 154|Fabriksvägen 949|Núcleo Camargo|
        Grønnehavegade 5|Otto-Beckmann-Straße 1/7|Trondhjems Allé 2|Nordre Fasanstræde 462|
        Jänkäpolku 9|Skogsgränd 9|Bratskovstræde 53|Runokyläntie 05|Via de Estefanía Verdú 88 Piso 8 |
        Favela Rafaela da Conceição, 45|Großweg 242|
        """)

    /// Central European names with an accented letter.
    static let centralNames = list(
        """
        Mária Křížová|Štefánia Brezinová|Dr. K. Varga Ádám|Dražen Petričević|Matěj Bednář|Bohuslava Droppová|
        Prof. Dr. Szabó K. Erzsébet|Srečko Rutar|Luboš Kratochvíl|Oliver Markovič|Dr. Kiss A. György|David Čupić|
        Elżbieta Ciak|Roman Sýkora|Erika Nôtová|Szőke Anna Eszter|Nejc Kovačič|Tomo Beraković|Johana Pešková|
        Oto Jánošík CSc.|Dr. Horváth Klaudia Anna|Stanka Železnik|Kristina Moravcová|Slavomír Havranka|
        Dr. Molnár Annamária Mónika|Andrija Mateša|Šimon Mach|Hermína Cigániková|Dr. Szűcs Sándorné|Iva Botić|
        Barbora Marková|Iľja Michalko|Dr. B. Kovács Attila|Mario Plažanin|Olga Kučerová|Danica Vašeková|
        I. Németh János|Miroslav Čop|Vladislav Müller|Rozália Fedorová|Németh Endre Krisztián|Valentina Štrukelj|
        Milka Čop|Šárka Müllerová|Dr. Kovács Józsefné|Sara Božiković|Vasyl Polák|Mária Franová|
        Szekeresné Fábián Anita Julianna|Nina Jović|Olaf Pałyga|Rudolf Hájek|Kristián Tomaška|
        Prof. Dr. Kovácsné Simon Anikó|David Barbić|Horymír Blažek|Melichar Jakubček|Balogh D. József|Ilija Matulić|
        Stanislav Němeček|Ľuboslava Morová|Dr. Kovácsné Lukács Erzsébet|Snježana Vorkapić|Vladimír Růžička|
        Oxana Filcová|Horváth Németh Gyula|Ružica Komljenović|Jaroslava Veselá|Dušan Zupanc|Karlo Knežević|
        pani Sylwia Żybura|Dominika Benešová|
        """)

    /// Central European addresses.
    static let centralTexts = list(
        """
        Budapešťská 5|Györgyfai utca 26.|Jesihov štradon 98|Hasičská 7|Haburská 68|Mártonnémetii út 147.|
        Pražská 468|Vihorlatská 71|Tatabányai utca 12.|Križevniška soteska 422|Brežná 3|Petőfi sándor utca 99.|
        Štítová 233|Dunaszéki út 86.|Petőfi utca 183.|Čebelarska ulica 6c|Kraljevečki odvojak 4c|Lisovňa 4|
        Miskolci út 148.|ul. Solidarności 570|Nad Šancemi 5|Štefánikova 907|Szombathelyi sétány 65.|
        plac Powstańców Śląskich 100|Františka Černého 9|Krížna 760|Dunatamásii utca 104.|Rečna ulica 3b|
        Vlaška 4a/6|ul. Niepodległości 55/28|Habartovská 33|Prasličková 25|Horní Chaloupky 4|Svidnícka 6|
        Béke utca 236.|Kulhavého 5|Bukovinská 417|Váci tér 147.|ul. Makuszyńskiego 54/05|Prusíkova 7|Frankovská 420|
        Vončinina 0|Brokolicová 4|Ligetfalui tér 164.|Ilovški štradon 2a|aleja Chełmońskiego 70|K Dálnici 44|
        Výtvarná 59|Belsőháti utca 1.|ulica Jabłoniowa 548|Slnečná 35|Felsőhetveni utca 55.|
        plac Jana Pawła II 92/90|Kremnická 2|Nevädzová 52|Petőfi sándor tér 5.|Malenškova ulica 85|U Vápenice 49|
        Na Revíne 7|Dózsa györgy tér 213.|Podutiška cesta 71|Tuškanac 46|pl. Żeromskiego 232|Nad lúčkami 52|
        Mindszentvégi utca 179.|Čargova ulica 9b|Na Laurové 230|Rízlingová 80|Drávamártoni utca 225.|Kožarska 5c|
        al. Wałowa 05/40|Ingrišova 54|
        """)

    /// Turkish names with an accented letter.
    static let turkishNames = list(
        """
        Başhan Demir|Dr. Aşir Atagün Alemdar|Çelikyürek Aliihsan Erdoğan|Okt. Ruhide Rezin Şener Öcalan|
        Doç. Ayülker İde Soylu Şensoy|Çev. Oguş Vacibe Duran|Okt. Doğannur Güngören Çetin Sakarya|
        Sezginbaş Korutürk|Doç. Açılay İmge Bilgin Çorlu|Arş. Gör. Harbinaz Tagangül Yılmaz Akça|Özlü Aksu|
        Çev. Şahdiye Fırat Hançer|Dilara Kifaye Soylu Yıldırım|Umuşan Eraslan|Ökkaş Şener|Merva Neriban Türk|
        Necilal Esna Duran İnönü|Akçabay Türk|Okt. Güldam Cevale Sezgin Şafak|Turgut Çorlu|Arş. Gör. Aksöğüt Gül|
        Gülgen Kifaye Bilgin Durdu|Samurtay Çetin|Müret Ezgin Öcalan Şama|Öğr. Rezin Sevican Öcalan Karadeniz|
        Arş. Gör. Tercan Ticen Türk Zorlu|Dr. Ayyaruk Türk Hayrioğlu|Özalpsan Günkurt Soylu Zengin|Dalkılıç Durmuş|
        Atasagun Denkel Şensoy|Selmin Faize Erdoğan|Özlem Hüsnühâl Erdoğan Hançer|Hazine Zahfer Erdoğan|
        Öğr. Müferrih Bilgin Arsoy|Öğr. Umutcan Elhan Çetin|Nesfe Yıldırım|Erkinel Nesip Gülen Kısakürek|
        Tekiner Hanedan Erdoğan|Ayten Çağlar Güçlü Çamurcuoğlu|Gökten Derkay Sakarya Sezer|
        Av. Aysevim Ayçan Güçlü Yılmaz|Çetinsu Öcalan|Öğr. Erdibay Şabettin Bilgin|Ünek Bilgin|Uçan Akça|
        Dr. Goncafer Zilfa Erdoğan|Ümray Seven Hançer|Çev. Kumral Demirel Akçay|Arş. Gör. Çisem Güldam Demirel|
        Mehmetzahir Hançer|Çev. Yepelek Şamiha Duran Akça|Soydaner Korugan Manço Arsoy|Öğr. Tan Şama Sezer|
        Tınal Soylu|Yücelen Bilge|Öğr. İsra Arslan Hayrioğlu|Bağdaş Güçlü|Evcimen Hazrat Manço Eraslan|
        Mukbile Satıa Gülen Manço|Özay Çetin|
        """)

    /// Icelandic names with an accented letter; Icelandic differs from Turkish in the meaning of six bytes.
    static let icelandicNames = list(
        """
        Mítra Seimsdóttir|Steinvarður Ásgeirsson|Eyhildur Geirröðsdóttir|Mensalder Arndórsson|
        Þórmundur Hofland Ronaldsson|Elínbergur Skagalín Heiðmarsson|Sær Reginbald Kaprasíusson|
        Fanný Elínmundsdóttir|Þorleifur Öxarsson|Tói Elbergsson|Guðlaugur Ingþórsson|Heiðrún Reynholt Styrsdóttir|
        Þoka Hagbertsdóttir|Sólver Sigurmarsson|Ása Jóelsdóttir|Bjólfur Hugbergsson|Bjarnlaug Haraldsdóttir|
        Þjálfi Bláfeld Ástmarsson|Sigurjón Snæberg Sigurbergsson|Gunnveig Sólan Sigmannsdóttir|
        Ársól Sigurmarsdóttir|Frostrós Laugdal Martinsdóttir|Bjarnharður Kjóisson|Sigurnýjas Salberg Skorrisson|
        Bestla Friðlaugsdóttir|Hlér Núpdal Svendsson|Rósanna Giljan Emanúelsdóttir|Hrönn Geirharðsdóttir|
        Freyþór Háreksson|Otta Hringsdóttir|Sólmundur Alexíusson|Arnþrúður Haffjörð Jómarsdóttir|
        Danfríður Árgeirsdóttir|Melinda Snæberg Húnröðsdóttir|Hörður Gissson|Bjargþór Rósisson|Amy Rasmusdóttir|
        Kormlöð Húgósdóttir|Hrafnkell Böðvarsson|Jónar Hænirsson|
        """)

    /// Russian given names.
    static let russianNames = list(
        """
        Игорь|Федор|Капитон|Христофор|Будимир|Стоян|Никита|Максимильян|Нестор|Нонна|Руслан|Парамон|
        Болеслав|Татьяна|Мина|Наум|Ладислав|Аникита|Конон|Ерофей|Амвросий|Евсей|Нифонт|Фока|Любосмысл|
        Феоктист|Велимир|Леонтий|Ираида|Добромысл|Любовь|Владлен|Эмилия|Мартьян|Мария|Павел|Остап|Кир|
        Мартын|Эраст|Аверкий|Варфоломей|София|Илья|Мирослав|Евпраксия|Мир|Панкратий|Лонгин|Евфросиния|
        Агап|Доброслав|Евграф|Флорентин|Назар|Митофан|Надежда|Фотий|Трофим|Афиноген|Прокофий|Остромир|
        Ирина|Михей|Филипп|Леонид|Фрол|Лукия|Сергей|Панкрат|Фёкла|Ярослав|Петр|Лев|Тарас|Куприян|
        Поликарп|Геннадий|Самуил|Дмитрий|
        """)

    /// Russian names, towns and jobs.
    static let russianTexts = list(
        """
        Меркушев Емельян Тимурович|Мир Демидович Ларионов|Пограничник|с. Абакан|Инженер-механик|
        клх Соликамск|Викторин Вячеславович Громов|Диспетчер|Ортопед|Лингвист|с. Карабулак|
        клх Славянск-на-Кубани|Финансист|Кинолог|Раиса Алексеевна Игнатова|Лаборант|Военнослужащий|
        клх Воронеж|Космонавт|к. Златоуст|п. Объячево|Анжелика Михайловна Лапина|
        Натан Ануфриевич Большаков|к. Пышма|Вера Григорьевна Кузьмина|Конвоир|Пастух|
        Чеслав Антонович Молчанов|Твердислав Гертрудович Сергеев|Русакова Елизавета Валентиновна|
        Заточник|Специалист по стрижке овец|с. Богучар|Капустин Доброслав Феоктистович|Особист|
        ст. Тутаев|Фокин Арсений Денисович|клх Волоколамск|Соловьева Наталья Леонидовна|
        д. Старая Русса|Наина Тарасовна Кононова|Диджей|Евдокия Антоновна Самсонова|
        Лихачева Екатерина Юльевна|Швейцар|Смирнова Наталья Робертовна|Начальник гаупвахты|
        к. Каргополь|Авдеев Иван Григорьевич|Воздухоплаватель|Кавалерист|Авксентий Чеславович Захаров|
        Мерчандайзер|Печатник|Месильщик|Сомелье|Беспалов Ювеналий Харитонович|д. Пушкинские Горы|
        Артемьев Евлампий Георгиевич|Спортивный врач|Гордеева Маргарита Олеговна|ст. Новороссийка|
        Артем Геннадиевич Кононов|Агата Рубеновна Турова|с. Вуктыл|г. Пинега|с. Мостовской|Швея|
        д. Якша|Соловьева Мария Феликсовна|Ширяева Валерия Георгиевна|София Феликсовна Кулагина|
        Менеджер|п. Аша|Воспитатель|Прозектор|Акулина Борисовна Соколова|Переводчик|клх Можга|
        Метрдотель|
        """)

    /// Returns Chinese names of two characters, the second of which is any of the 3,755 of level 1.
    static func randomNames(_ count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        let families = chineseNames2.compactMap(\.first)
        return (0..<count).compactMap { _ in
            let bytes = [UInt8.random(in: 0xB0...0xD6, using: &generator), .random(in: 0xA1...0xFE, using: &generator)]
            guard let family = families.randomElement(using: &generator) else { return nil }
            return CharacterEncoding.gb18030.decode(bytes[...]).map { String(family) + $0 }
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "|" || $0 == "\n" }).map(String.init)
    }
}
